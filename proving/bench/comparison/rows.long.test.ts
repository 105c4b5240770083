import { describe, expect, it } from 'vitest';
import { type Contender, compare, type Run } from './rows.ts';

const textbook = { integration: 'textbook', mode: null } as const;
const inline = { integration: 'sqlite', mode: 'inline' } as const;
const regular = { integration: 'sqlite', mode: 'regular' } as const;
const flawless = { lost: 0, duplicates: 0, outOfOrder: 0 };

/** A run with the given rates of 16 orders at a time: fast counterparts, then slow ones. */
const run = (contender: Contender, fast: number, slow?: number, verdict = flawless): Run => ({
  ...contender,
  loads: [
    { getMs: 0, destinationMs: 0, pattern: '16', eventsPerSecond: fast, p99Ms: 5 },
    ...(slow ? [{ getMs: 150, destinationMs: 50, pattern: '16', eventsPerSecond: slow, p99Ms: 9 } as const] : []),
  ],
  latencyMs: 1000 / fast,
  verdict,
});

describe('a comparison', () => {
  it('takes ratios within a round, whatever the order of the contenders', () => {
    const { comparison, latency } = compare([
      run(textbook, 10),
      run(inline, 50),
      run(regular, 25),
      run(regular, 48),
      run(inline, 60),
      run(textbook, 20),
      run(textbook, 40),
      run(inline, 80),
      run(regular, 60),
    ]);
    // 5, 3 and 2; 2.5, 2.4 and 1.5; 0.5, 0.8 and 0.75.
    expect(comparison.map(({ toTextbook, toInline }) => [toTextbook, toInline])).toEqual([
      [1, null],
      [3, null],
      [2.4, 0.75],
    ]);
    expect(comparison[1]?.measured).toEqual({ median: 60, min: 50, max: 80, rounds: [50, 60, 80] });
    expect(latency[1]?.toTextbook).toBeCloseTo(1 / 3);
  });

  it('keeps situations and databases apart', () => {
    const { comparison } = compare([run(inline, 500, 50), run({ integration: 'postgres', mode: 'inline' }, 300)]);
    expect(
      comparison.map(({ getMs, integration, measured, p99Ms }) => [getMs, integration, measured.median, p99Ms.median]),
    ).toEqual([
      [0, 'sqlite', 500, 5],
      [0, 'postgres', 300, 5],
      [150, 'sqlite', 50, 9],
    ]);
  });

  it('has no ratio to a contender that did not run', () => {
    const [row] = compare([run(regular, 500)]).comparison;
    expect([row?.toTextbook, row?.toInline]).toEqual([null, null]);
  });

  it('judges every run of Dockline, and not the textbook', () => {
    const flawed = { lost: 1, duplicates: 2, outOfOrder: 3 };
    const runs = [run(textbook, 10, 5, flawed), run(inline, 50, 5, flawed), run(regular, 50, 5, flawed)];
    expect(compare(runs).verdict).toEqual({ lost: 2, duplicates: 4, outOfOrder: 6 });
  });
});
