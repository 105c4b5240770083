import { setTimeout as pause } from 'node:timers/promises';

/** Spreads calls so that never more than a number of them begin within a time. */
export interface Pace {
  /** Resolves when the next call may begin; it then counts. Rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<void>;
  /** Whether so many calls could begin now, none of them having to wait. */
  isFree(calls: number): boolean;
}

/** What is sent evenly arrives less so: the window is that much longer than the other side's. */
const MARGIN = 1.05;

/**
 * A pace of `perSecond` calls within any second; of one call within a longer time where that is less than one. What is left of a
 * fraction is given away.
 */
export function createPace(perSecond: number, now: () => number = performance.now.bind(performance)): Pace {
  const atOnce = Math.max(1, Math.floor(perSecond));
  const windowMs = Math.max(1, 1 / perSecond) * 1000 * MARGIN;
  /** When the newest calls began or are to begin, a ring: the next one takes the place of the oldest. */
  const begun: number[] = Array(atOnce).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;

  const freeAt = (calls: number) => (begun[(oldest + calls - 1) % atOnce] ?? 0) + windowMs;

  return {
    async next(signal) {
      signal.throwIfAborted();
      const at = Math.max(now(), freeAt(1));
      begun[oldest] = at;
      oldest = (oldest + 1) % atOnce;
      const waitMs = at - now();
      if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
    isFree: (calls) => calls <= atOnce && freeAt(calls) <= now(),
  };
}
