import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  afterPart,
  beginSweep,
  type ReconcileInput,
  type SweepState,
} from '../../workflows/sweep-state.ts';

const input: ReconcileInput = {
  ...{ tenant: '9104', kinds: ['order', 'receipt'], lookBackMs: 100, overlapMs: 10, quietMs: 0, pageSize: 1000 },
  ...{ pagesPerRun: 500, warehouseTaskQueue: 'dockline-warehouse-9104' },
};

const partsOf = ({ parts }: SweepState) => parts.map(({ kind, of }) => `${kind} ${of}`);
const tally = { rows: 3, open: 0, differing: 2, missing: 0, fed: 1 };

describe('a sweep', () => {
  it('begins at the given time, else where the last one began, else at the look-back', () => {
    const last = { tenant: '9104', startedAt: 700, since: 600, tallies: {} };
    expect(beginSweep({ ...input, since: 5 }, 1000, last).since).toBe(5);
    expect(beginSweep(input, 1000, last).since).toBe(700);
    expect(beginSweep(input, 1000, undefined).since).toBe(900);
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
    const next = { kind: 'order', of: 'changed', page: 2, rowsBefore: 3 } as const;
    const second = afterPart(begun, tally, next);
    expect(second.parts[0]).toEqual(next);
    expect(second.parts).toHaveLength(4);
    const third = afterPart(second, { ...tally, missing: 1 }, null);
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
