import { describe, expect, it } from 'vitest';
import { createLedger, isFlawless, sumVerdicts } from './ledger.ts';
import { steps } from './workload.ts';

const all = steps.map(({ milestone }) => milestone);

/** A ledger that expects one order and received the given milestones. */
function ledgerOf(...milestones: readonly string[]) {
  const ledger = createLedger();
  ledger.expect('7');
  for (const milestone of milestones) ledger.add({ orderId: '7', milestone });
  return ledger;
}

describe('a verdict', () => {
  it('is flawless with each milestone once and in order', () => {
    const verdict = ledgerOf(...all).verdict();
    expect(verdict).toEqual({ lost: 0, duplicates: 0, outOfOrder: 0 });
    expect(isFlawless(verdict)).toBe(true);
  });

  it.each(['lost', 'duplicates', 'outOfOrder'] as const)(
    'is not flawless with one %s among several systems',
    (flaw) => {
      const flawless = ledgerOf(...all).verdict();
      const sum = sumVerdicts([flawless, { ...flawless, [flaw]: 1 }, flawless]);
      expect(sum).toEqual({ ...flawless, [flaw]: 1 });
      expect(isFlawless(sum)).toBe(false);
    },
  );

  it('counts missing milestones as lost', () => {
    const [, , ...rest] = all;
    expect(ledgerOf(...rest).verdict()).toEqual({ lost: 2, duplicates: 0, outOfOrder: 0 });
  });

  it('counts a repeated milestone as a duplicate', () => {
    expect(ledgerOf(...all, 'picked').verdict()).toEqual({ lost: 0, duplicates: 1, outOfOrder: 0 });
  });

  it('counts an unexpected order or milestone as a duplicate', () => {
    const ledger = ledgerOf(...all, 'updated');
    ledger.add({ orderId: '8', milestone: 'created' });
    expect(ledger.verdict()).toEqual({ lost: 0, duplicates: 2, outOfOrder: 0 });
  });

  it('counts a milestone after a later one as out of order only', () => {
    const [created = '', allocated = '', ...rest] = all;
    expect(ledgerOf(allocated, created, ...rest).verdict()).toEqual({ lost: 0, duplicates: 0, outOfOrder: 1 });
  });

  it('compares milestones of the same order only', () => {
    const ledger = ledgerOf('created', 'fullyAllocated');
    ledger.expect('8');
    ledger.add({ orderId: '8', milestone: 'created' });
    expect(ledger.verdict().outOfOrder).toBe(0);
  });
});

describe('a ledger', () => {
  it('is complete at the time of the last announcement', async () => {
    const ledger = ledgerOf(...all.slice(0, -1));
    const complete = ledger.complete(60_000);
    const before = performance.now();
    ledger.add({ orderId: '7', milestone: 'confirmed' });
    const after = performance.now();
    const at = await complete;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
  });

  it('gives up when its patience ends, and keeps counting the rest as lost', async () => {
    const ledger = ledgerOf('created');
    const after = performance.now();
    expect(await ledger.complete(30)).toBeLessThanOrEqual(after);
    expect(performance.now() - after).toBeGreaterThanOrEqual(25);
    expect(ledger.verdict().lost).toBe(all.length - 1);
  });
});
