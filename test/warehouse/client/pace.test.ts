import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPace } from '../../../src/warehouse/client/pace.ts';
import { never } from '../open-warehouse.ts';

afterEach(() => void vi.useRealTimers());

/** Lets calls arrive at the given times of a clock that only the test moves; returns when each of them began. */
async function beginnings(perSecond: number, arrivals: readonly number[]): Promise<readonly number[]> {
  vi.useFakeTimers({ fakeNodeBuiltins: true });
  const pace = createPace(perSecond);
  const began: number[] = [];
  for (const [index, at] of arrivals.entries()) {
    setTimeout(async () => {
      await pace.next(never);
      began[index] = performance.now();
    }, at);
  }
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  return began;
}

/** Arrivals in bursts and with pauses, in milliseconds from the beginning. */
const anyArrivals = fc
  .array(fc.oneof(fc.constant(0), fc.nat(50), fc.nat(1500)), { minLength: 1, maxLength: 60 })
  .map((gaps) => gaps.map((_, index) => gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0)));

describe('a pace', () => {
  it.each([
    ['never lets more calls begin than it may within a second', fc.integer({ min: 1, max: 20 }), () => 1000],
    [
      'below one lets a call begin within its longer time',
      fc.constantFrom(0.1, 0.25, 0.4),
      (rate: number) => 1000 / rate,
    ],
  ])('%s, nor lets any wait longer than it must', async (_, anyRate, windowOf) => {
    await fc.assert(
      fc.asyncProperty(anyRate, anyArrivals, async (rate, arrivals) => {
        const atOnce = Math.max(1, rate);
        const began = await beginnings(rate, arrivals);
        expect(began).toHaveLength(arrivals.length);
        for (const [index, at] of began.entries()) {
          const { [index - atOnce]: before = Number.NEGATIVE_INFINITY } = began;
          expect(at - before).toBeGreaterThan(windowOf(rate));
          expect(at).toBeLessThanOrEqual(Math.max(arrivals[index] ?? 0, before + windowOf(rate) * 1.06));
        }
      }),
    );
  });

  it('says whether so many calls need not wait', async () => {
    let time = 0;
    const pace = createPace(3, () => time);
    expect([3, 4].map(pace.isFree)).toEqual([true, false]);
    await pace.next(never);
    time = 500;
    await pace.next(never);
    expect([1, 2].map(pace.isFree)).toEqual([true, false]);
    time = 1051;
    expect([2, 3].map(pace.isFree)).toEqual([true, false]);
    time = 1551;
    expect(pace.isFree(3)).toBe(true);
  });

  it('lets a waiting call end with the reason of its signal', async () => {
    const pace = createPace(1);
    await pace.next(never);
    const controller = new AbortController();
    const waiting = pace.next(controller.signal);
    const reason = new Error('nobody waits any more');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('gives those after a call that ended early their turn', async () => {
    vi.useFakeTimers({ fakeNodeBuiltins: true });
    const pace = createPace(2);
    const controller = new AbortController();
    const began: number[] = [];
    for (const signal of [never, never, controller.signal, never, never]) {
      pace.next(signal).then(
        () => began.push(performance.now()),
        () => {},
      );
    }
    controller.abort();
    await vi.runAllTimersAsync();
    expect(began).toEqual([0, 0, 1050, 2100]);
  });

  it('does not count a call that was given up before it asked', async () => {
    const pace = createPace(1);
    await expect(pace.next(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(pace.isFree(1)).toBe(true);
  });
});
