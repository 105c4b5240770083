import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRests } from '../../src/inbox/rests.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const ended: string[] = [];
  const rests = createRests({ onEnd: (key) => ended.push(key) });
  /** Begins a rest and sees it through; returns how long it was. */
  const rest = (key: string): number => {
    const begunAt = Date.now();
    rests.begin(key);
    while (rests.has(key) && vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
    return Date.now() - begunAt;
  };
  return { rests, ended, rest };
}

/** When one is served that is always served as soon as it does not rest and something has come, the gaps being between arrivals. */
function servings(gaps: readonly number[]): readonly number[] {
  const { rests, rest } = open();
  const served: number[] = [];
  for (const gap of gaps) {
    vi.advanceTimersByTime(gap);
    served.push(Date.now());
    rest('order:1:31');
  }
  rests.close();
  return served;
}

/** The most of the given times that are within ten seconds. */
const mostInTenSeconds = (times: readonly number[]): number =>
  Math.max(...times.map((from, index) => times.slice(index).filter((time) => time - from < 10_000).length));

describe('a rest', () => {
  it('is the longer the more often one was served lately, from 10 ms to 200 ms', () => {
    const { rest } = open();
    const lengths = Array.from({ length: 25 }, () => rest('a'));
    expect(lengths).toEqual([...Array.from({ length: 20 }, (_, index) => (index + 1) * 10), 200, 200, 200, 200, 200]);
  });

  it('lasts until its end is told of, and others are awake meanwhile', () => {
    const { rests, ended } = open();
    rests.begin('a');
    vi.advanceTimersByTime(9);
    expect([rests.has('a'), rests.has('b'), ended]).toEqual([true, false, []]);
    vi.advanceTimersByTime(1);
    expect([rests.has('a'), ended]).toEqual([false, ['a']]);
  });

  it('is over for whoever asks when its end is told of', () => {
    const seen: boolean[] = [];
    const rests = createRests({ onEnd: (key) => seen.push(rests.has(key)) });
    rests.begin('a');
    vi.runAllTimers();
    expect(seen).toEqual([false]);
  });

  it('is short again after a second without being served', () => {
    const { rest } = open();
    expect([rest('a'), rest('a'), rest('a')]).toEqual([10, 20, 30]);
    vi.advanceTimersByTime(969);
    expect(rest('a')).toBe(40);
    vi.advanceTimersByTime(960);
    expect(rest('a')).toBe(10);
  });

  it('is counted from the last time that one was served, whoever was served in between', () => {
    const { rest } = open();
    expect([rest('a'), rest('b')]).toEqual([10, 10]);
    vi.advanceTimersByTime(880);
    expect(rest('a')).toBe(20);
    vi.advanceTimersByTime(200);
    expect([rest('b'), rest('a')]).toEqual([10, 30]);
  });

  it('comes often enough that one is served some fifty times in ten seconds where there is always more', () => {
    const most = mostInTenSeconds(servings(Array(200).fill(0)));
    expect(most).toBeGreaterThan(45);
    expect(most).toBeLessThanOrEqual(60);
  });

  it('keeps it below a hundred times in ten seconds, whenever something comes', () => {
    const anyGap = fc.oneof(fc.constant(0), fc.nat(20), fc.integer({ min: 700, max: 1010 }));
    fc.assert(
      fc.property(fc.array(anyGap, { minLength: 1, maxLength: 150 }), (gaps) => {
        expect(mostInTenSeconds(servings(gaps))).toBeLessThan(100);
      }),
    );
    // The worst: a pause of a second whenever the rests have grown so long that beginning anew pays.
    const worst = Array.from({ length: 150 }, (_, index) => (index % 14 === 13 ? 1000 : 0));
    expect(mostInTenSeconds(servings(worst))).toBeLessThan(100);
  });

  it('ends with the others when they are closed, without a word', () => {
    const { rests, ended } = open();
    rests.begin('a');
    rests.begin('b');
    rests.close();
    expect([rests.has('a'), rests.has('b'), vi.getTimerCount()]).toEqual([false, false, 0]);
    vi.runAllTimers();
    expect(ended).toEqual([]);
  });
});
