import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  afterPart,
  beginSweep,
  describePart,
  nextSinceOf,
  type Part,
  type ReconcileInput,
  type SweepState,
} from '../../workflows/sweep-state.ts';

const input: ReconcileInput = {
  tenant: '9104',
  kinds: ['order', 'receipt'],
  lookBackMs: 100,
  overlapMs: 10,
  quietMs: 0,
  pageSize: 1000,
  pagesPerRun: 500,
  warehouseTaskQueue: 'dockline-warehouse-9104',
};

const partsOf = ({ parts }: SweepState) => parts.map(({ kind, of }) => `${kind} ${of}`);
const tally = { rows: 3, open: 0, differing: 2, missing: 0, fed: 1 };

describe('a sweep', () => {
  it('begins at the given time, else where the last one began, else at the look-back', () => {
    const nextSince = { order: 700, receipt: 700 };
    const last = { tenant: '9104', startedAt: 700, since: 600, tallies: { order: tally, receipt: tally }, nextSince };
    expect(beginSweep({ ...input, since: 5 }, 1000, last).since).toBe(5);
    expect(beginSweep(input, 1000, last).since).toBe(700);
    expect(beginSweep(input, 1000, undefined).since).toBe(900);
  });

  it('begins for each kind where that kind was listed last, and at the look-back if it never was', () => {
    const windows = ({ parts }: SweepState) =>
      parts.flatMap((part) => (part.of === 'changed' ? [[part.kind, part.since]] : []));
    const all = { ...input, kinds: ['order', 'receipt', 'assembly'] as const };
    const nextSince = { order: 950, receipt: 700 };
    const begun = beginSweep(all, 1000, { tenant: '9104', startedAt: 950, since: 600, tallies: {}, nextSince });
    expect(windows(begun)).toEqual([
      ['order', 950],
      ['receipt', 700],
      ['assembly', 900],
    ]);
    expect(begun.since).toBe(700);
    const failed = afterFailure(afterPart(begun, { ...tally, next: null }), {
      kind: 'receipt',
      code: 'x',
      message: 'x',
    });
    expect(nextSinceOf(failed)).toEqual({ order: 1000, receipt: 700, assembly: 1000 });
  });

  it('says in words where it stands, whatever the key of the kind', () => {
    const kind = 'purchaseOrder' as 'order';
    const [changed, open] = beginSweep({ ...input, kinds: [kind] }, 1000, undefined).parts;
    expect([changed, open].map((part) => part && describePart(part))).toEqual([
      'purchase order: changed',
      'purchase order: open',
    ]);
  });

  it('covers the changed and then the open subjects of each kind', () => {
    expect(partsOf(beginSweep(input, 1000, undefined))).toEqual([
      'order changed',
      'order open',
      'receipt changed',
      'receipt open',
    ]);
  });

  it('continues with the part after the last one, and adds up', () => {
    const begun = beginSweep(input, 1000, undefined);
    const second = afterPart(begun, { ...tally, next: '7' });
    expect(second.parts[0]).toMatchObject({ kind: 'order', of: 'changed', after: '7' });
    expect(describePart(second.parts[0] as Part)).toBe('order: changed after 7');
    expect(second.parts).toHaveLength(4);
    const third = afterPart(second, { ...tally, missing: 1, next: null });
    expect(partsOf(third)).toEqual(['order open', 'receipt changed', 'receipt open']);
    expect(third.tallies).toEqual({ order: { rows: 6, open: 0, differing: 4, missing: 1, fed: 2 } });
  });

  it('skips the rest of a kind that cannot be listed', () => {
    const failure = { kind: 'order', code: 'ERR_WAREHOUSE_UNFILTERED', message: 'GET /orders …' } as const;
    const failed = afterFailure(beginSweep(input, 1000, undefined), failure);
    expect(partsOf(failed)).toEqual(['receipt changed', 'receipt open']);
    expect(failed.failures).toEqual([failure]);
  });
});
