import { setTimeout as pause } from 'node:timers/promises';

/** Factor by which our window is longer than the warehouse's, since calls arrive less evenly than they are sent. */
const MARGIN = 1.05;

/**
 * Creates a rate limit of `perSecond` calls within any second, rounded down; below one, of one call within a longer time.
 */
export function createPace(perSecond: number, now: () => number = performance.now.bind(performance)) {
  const atOnce = Math.max(1, Math.floor(perSecond));
  const windowMs = Math.max(1, 1 / perSecond) * 1000 * MARGIN;
  /** Start times of the newest calls, a ring buffer: the next one replaces the oldest. */
  const begun: number[] = Array(atOnce).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;

  const freeAt = (calls: number) => (begun[(oldest + calls - 1) % atOnce] ?? 0) + windowMs;

  return {
    /** Resolves when the next call may begin, and counts it. Rejects with the signal's reason. */
    async next(signal: AbortSignal) {
      signal.throwIfAborted();
      const at = Math.max(now(), freeAt(1));
      begun[oldest] = at;
      oldest = (oldest + 1) % atOnce;
      const waitMs = at - now();
      if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
    /** Reports whether this many calls could begin now. */
    isFree: (calls: number) => calls <= atOnce && freeAt(calls) <= now(),
  };
}
