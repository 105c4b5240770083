import type { SharedSlots } from '../tables/rate-slots.ts';
import { type Asked, createWaiter, type Waiter } from './flight.ts';
import { createSlots, type Turn } from './slots.ts';

/** Longest time until a turn that others hold, and may give back, is asked for again. */
const ASK_EVERY_MS = 100;

interface PaceOptions {
  readonly perSecond: number;
  readonly shared?: SharedSlots | undefined;
  readonly now?: () => number;
}

export type Pace = ReturnType<typeof createPace>;

/**
 * Allows `perSecond` calls within any second, rounded down; below one, one call within a longer time. A turn is given
 * when it is free, never planned: a process that was stalled would make all its planned calls at once.
 */
export function createPace({ perSecond, shared, now = performance.now.bind(performance) }: PaceOptions) {
  const slots = createSlots({ perSecond, shared, now });
  const waiting = new Set<Waiter<Turn>>();
  let isGiving = false;
  let timer: NodeJS.Timeout | undefined;

  async function give(): Promise<void> {
    if (isGiving) return;
    isGiving = true;
    clearTimeout(timer);
    try {
      while (waiting.size > 0) {
        const taken = await slots.take();
        if (typeof taken === 'number') {
          if (waiting.size > 0) timer = setTimeout(give, Math.min(taken, ASK_EVERY_MS));
          return;
        }
        giveToFirst(taken);
      }
    } finally {
      isGiving = false;
    }
  }

  function giveToFirst(turn: Turn): void {
    const [first] = [...waiting].sort((a, b) => a.rank() - b.rank());
    if (first) {
      waiting.delete(first);
      first.resolve(turn);
    } else {
      // All have left while the turn was taken.
      turn.end();
    }
  }

  return {
    /** Rejects with the signal's reason, or with `ERR_WAREHOUSE_BUSY` once its time is over. */
    async next(asked: Asked): Promise<Turn> {
      asked.signal.throwIfAborted();
      const waiter = createWaiter<Turn>(asked, (left) => {
        waiting.delete(left);
        if (waiting.size === 0) clearTimeout(timer);
      });
      waiting.add(waiter);
      void give();
      return await waiter.promise;
    },
    isFree: (calls: number): boolean => slots.areFree(waiting.size + calls),
  };
}
