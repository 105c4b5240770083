import { describe, expect, it } from 'vitest';
import { createLedger } from './ledger.ts';
import { steps } from './workload.ts';

const whole = steps.map(({ milestone }) => milestone);

/** A ledger that expects one order and was told of so many milestones of it. */
function ledgerOf(...milestones: readonly string[]) {
  const ledger = createLedger();
  ledger.expect('7');
  for (const milestone of milestones) ledger.add({ orderId: '7', milestone });
  return ledger;
}

describe('a ledger', () => {
  it('finds nothing wrong with each milestone once and in order', () => {
    expect(ledgerOf(...whole).verdict()).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  });

  it('counts what did not come as lost', () => {
    const [, , ...rest] = whole;
    expect(ledgerOf(...rest).verdict()).toEqual({ lost: 2, duplicates: 0, outOfOrder: 0 });
  });

  it('expects the first milestones alone where it is told so', () => {
    const ledger = createLedger();
    ledger.expect('7', 2);
    expect(ledger.verdict().lost).toBe(2);
    for (const milestone of whole.slice(0, 2)) ledger.add({ orderId: '7', milestone });
    expect(ledger.verdict()).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
  });

  it('counts the same milestone of the same order twice as a duplicate', () => {
    expect(ledgerOf(...whole, 'picked').verdict()).toEqual({ lost: 0, duplicates: 1, outOfOrder: 0 });
  });

  it('counts an order that nobody expects as a duplicate', () => {
    const ledger = ledgerOf(...whole);
    ledger.add({ orderId: '8', milestone: 'created' });
    expect(ledger.verdict()).toEqual({ lost: 0, duplicates: 1, outOfOrder: 0 });
  });

  it('counts a milestone that no step tells of as a duplicate', () => {
    expect(ledgerOf(...whole, 'updated').verdict()).toEqual({ lost: 0, duplicates: 1, outOfOrder: 0 });
  });

  it('counts a milestone after a later one as out of order, and nothing else of it', () => {
    const [created = '', allocated = '', ...rest] = whole;
    expect(ledgerOf(allocated, created, ...rest).verdict()).toEqual({ lost: 0, duplicates: 0, outOfOrder: 1 });
  });

  it('keeps the order of each order apart', () => {
    const ledger = ledgerOf('created', 'fullyAllocated');
    ledger.expect('8');
    ledger.add({ orderId: '8', milestone: 'created' });
    expect(ledger.verdict().outOfOrder).toBe(0);
  });
});

describe('a ledger is complete', () => {
  it('with the last announcement, and says when that came', async () => {
    const ledger = ledgerOf(...whole.slice(0, -1));
    const complete = ledger.complete(60_000);
    const before = performance.now();
    ledger.add({ orderId: '7', milestone: 'confirmed' });
    const after = performance.now();
    const at = await complete;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
  });

  it('when its patience ends, with what is missing still missing', async () => {
    const ledger = ledgerOf('created');
    const after = performance.now();
    expect(await ledger.complete(30)).toBeLessThanOrEqual(after);
    expect(performance.now() - after).toBeGreaterThanOrEqual(25);
    expect(ledger.verdict().lost).toBe(whole.length - 1);
  });
});

describe('a step', () => {
  it('that is announced later is told then', async () => {
    const ledger = ledgerOf('created');
    const told: string[] = [];
    const allocated = ledger.announced('7', 1).then(() => told.push('fullyAllocated'));
    ledger.announced('7', 2).then(() => told.push('picked'));
    ledger.add({ orderId: '7', milestone: 'fullyAllocated' });
    await allocated;
    expect(told).toEqual(['fullyAllocated']);
  });

  it('that was announced is told at once', async () => {
    expect(await ledgerOf('created').announced('7', 0)).toBeLessThanOrEqual(performance.now());
  });
});
