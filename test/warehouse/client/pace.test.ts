import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Priority, rankOf } from '../../../src/domain/priority.ts';
import type { Asked } from '../../../src/warehouse/client/flight.ts';
import { createPace, type Pace, TurnExpired } from '../../../src/warehouse/client/pace.ts';
import { never } from '../open-warehouse.ts';

afterEach(() => void vi.useRealTimers());

/** What a call asks for that nothing hurries. */
const plain: Asked = { signal: never, rank: () => 0, withinMs: 3_600_000 };

/** Begins a call in its turn, which is answered at once. */
const call = async (pace: Pace, asked: Partial<Asked> = {}) => {
  const turn = await pace.next({ ...plain, ...asked });
  turn.begin();
  turn.answered();
};

/**
 * Times of a test in milliseconds: arrivals of calls, the delay between a turn and its call, the time from then until it reaches the warehouse,
 * and times from which the process is stalled.
 */
interface Load {
  readonly arrivals: readonly number[];
  readonly delays?: readonly number[];
  readonly ways?: readonly number[];
  readonly stalls?: readonly { readonly at: number; readonly ms: number }[];
}

/** Time that the warehouse takes for an answer, in milliseconds. */
const ANSWER_MS = 100;

/** Lets calls arrive at times of a clock that only the test moves; returns when each of them reached the warehouse. */
async function beginnings(
  perSecond: number,
  { arrivals, delays = [], ways = [], stalls = [] }: Load,
): Promise<readonly number[]> {
  vi.useFakeTimers({ fakeNodeBuiltins: true });
  let stalledMs = 0;
  // Timers that were due in a stall fire at its end.
  for (const { at, ms } of stalls) {
    setTimeout(() => {
      stalledMs += ms;
    }, at);
  }
  const now = () => performance.now() + stalledMs;
  const pace = createPace({ perSecond, now });
  const began: number[] = [];
  for (const [index, at] of arrivals.entries()) {
    setTimeout(async () => {
      const turn = await pace.next(plain);
      const begin = () => {
        turn.begin();
        const { [index]: wayMs = 0 } = ways;
        began[index] = now() + wayMs;
        setTimeout(() => turn.answered(), wayMs + ANSWER_MS);
      };
      if (delays[index]) setTimeout(begin, delays[index]);
      else begin();
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

const anyStalls = fc.array(fc.record({ at: fc.nat(5000), ms: fc.nat(4000) }), { minLength: 1, maxLength: 8 });
const anyDelays = fc.array(fc.oneof(fc.constant(0), fc.nat(3000)), { maxLength: 60 });

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
        const began = await beginnings(rate, { arrivals });
        expect(began).toHaveLength(arrivals.length);
        for (const [index, at] of began.entries()) {
          const { [index - atOnce]: before = Number.NEGATIVE_INFINITY } = began;
          expect(at - before).toBeGreaterThan(windowOf(rate));
          expect(at).toBeLessThanOrEqual(Math.max(arrivals[index] ?? 0, before + windowOf(rate) * 1.06));
        }
      }),
    );
  });

  it('never lets more calls begin than it may within a second, however long its process is stalled, and its calls are late', async () => {
    const anyLoad = fc.record({ arrivals: anyArrivals, delays: anyDelays, stalls: anyStalls });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), anyLoad, async (rate, load) => {
        const began = (await beginnings(rate, load)).toSorted((a, b) => a - b);
        expect(began).toHaveLength(load.arrivals.length);
        for (const [index, at] of began.entries()) {
          expect(at - (began[index - rate] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(1000);
        }
      }),
    );
  });

  it('never lets more calls reach the warehouse than it may within a second, however late they are on their way', async () => {
    const anyWay = fc.oneof(fc.constant(0), fc.nat(1900));
    // The first of five is quick, as most are.
    const anyWays = fc
      .array(anyWay, { minLength: 60, maxLength: 60 })
      .map((all) => all.map((ms, i) => (i % 5 ? ms : 0)));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), anyArrivals, anyWays, async (rate, arrivals, ways) => {
        const reached = (await beginnings(rate, { arrivals, ways })).toSorted((a, b) => a - b);
        expect(reached).toHaveLength(arrivals.length);
        for (const [index, at] of reached.entries()) {
          expect(at - (reached[index - rate] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(1000);
        }
      }),
    );
  });

  it('counts a call that gets no answer as long as it may still arrive', async () => {
    let time = 0;
    const pace = createPace({ perSecond: 1, now: () => time });
    const turn = await pace.next(plain);
    turn.begin();
    time = 3049;
    expect(pace.isFree(1)).toBe(false);
    time = 3051;
    expect(pace.isFree(1)).toBe(true);
  });

  it('gives the most urgent call the next turn, and every other one once it has waited a second for each class', async () => {
    vi.useFakeTimers({ fakeNodeBuiltins: true });
    const pace = createPace({ perSecond: 1 });
    await call(pace);
    const order: string[] = [];
    const ask = (name: string, priority: Priority) => {
      const rank = rankOf(priority);
      return call(pace, { rank: () => rank }).then(() => order.push(name));
    };
    void ask('sweep', 'sweep');
    void ask('event', 'event');
    void ask('person', 'person');
    await vi.advanceTimersByTimeAsync(4100);
    for (let later = 0; later < 3; later += 1) void ask(`event ${later}`, 'event');
    await vi.runAllTimersAsync();
    expect(order).toEqual(['person', 'event', 'sweep', 'event 0', 'event 1', 'event 2']);
  });

  it('says whether so many calls need not wait', async () => {
    let time = 0;
    const pace = createPace({ perSecond: 3, now: () => time });
    expect([3, 4].map(pace.isFree)).toEqual([true, false]);
    await call(pace);
    time = 500;
    const turn = await pace.next(plain);
    expect([1, 2].map(pace.isFree)).toEqual([true, false]);
    turn.begin();
    turn.answered();
    expect([1, 2].map(pace.isFree)).toEqual([true, false]);
    time = 1051;
    expect([2, 3].map(pace.isFree)).toEqual([true, false]);
    time = 1551;
    expect(pace.isFree(3)).toBe(true);
  });

  it('takes back the turn of a call that never began', async () => {
    const pace = createPace({ perSecond: 1 });
    const turn = await pace.next(plain);
    expect(pace.isFree(1)).toBe(false);
    turn.end();
    expect(pace.isFree(1)).toBe(true);
    turn.begin();
    expect(pace.isFree(1)).toBe(true);
  });

  it('lets a waiting call end with the reason of its signal', async () => {
    const pace = createPace({ perSecond: 1 });
    await call(pace);
    const controller = new AbortController();
    const waiting = call(pace, { signal: controller.signal });
    const reason = new Error('nobody waits any more');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('lets a call end that has waited as long as it may', async () => {
    vi.useFakeTimers({ fakeNodeBuiltins: true });
    const pace = createPace({ perSecond: 0.1 });
    await call(pace);
    const waiting = expect(call(pace, { withinMs: 2000 })).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_BUSY' });
    await vi.runAllTimersAsync();
    await waiting;
    expect(performance.now()).toBeLessThan(3000);
  });

  it('gives those after a call that ended early their turn', async () => {
    vi.useFakeTimers({ fakeNodeBuiltins: true });
    const pace = createPace({ perSecond: 2 });
    const controller = new AbortController();
    const began: number[] = [];
    for (const signal of [never, never, controller.signal, never, never]) {
      call(pace, { signal }).then(
        () => began.push(performance.now()),
        () => {},
      );
    }
    controller.abort();
    await vi.runAllTimersAsync();
    expect(began).toEqual([0, 0, 1050, 1050]);
  });

  it('does not count a call that was given up before it asked', async () => {
    const pace = createPace({ perSecond: 1 });
    await expect(call(pace, { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    expect(pace.isFree(1)).toBe(true);
  });
});

describe('a pace that processes share', () => {
  it('leaves each its share while the store is away', async () => {
    vi.useFakeTimers({ fakeNodeBuiltins: true });
    const away = async () => {
      throw new Error('the store is away');
    };
    const pace = createPace({ perSecond: 7, shared: { take: away, free: away, processes: () => 3 } });
    const began: number[] = [];
    for (let count = 0; count < 4; count += 1) void call(pace).then(() => began.push(performance.now()));
    await vi.runAllTimersAsync();
    expect(began).toEqual([0, 0, 1050, 1050]);
  });

  it('leaves each its share, and asks the store nothing, at a rate of more rows than are worth reading', async () => {
    vi.useFakeTimers({ fakeNodeBuiltins: true });
    const take = vi.fn(async () => ({ slot: 0 }));
    const pace = createPace({ perSecond: 1000, shared: { take, free: async () => {}, processes: () => 2 } });
    const began: number[] = [];
    for (let count = 0; count < 501; count += 1) void call(pace).then(() => began.push(performance.now()));
    await vi.runAllTimersAsync();
    expect([began[499], began[500]]).toEqual([0, 1050]);
    expect(take).not.toHaveBeenCalled();
  });

  it('begins no call so late that another process may have its slot', async () => {
    let time = 0;
    const pace = createPace({
      perSecond: 1,
      now: () => time,
      shared: { take: async () => ({ slot: 0 }), free: async () => {}, processes: () => 2 },
    });
    const turn = await pace.next(plain);
    time = 8001;
    expect(() => turn.begin()).toThrow(TurnExpired);
  });
});
