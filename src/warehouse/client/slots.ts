/** Turn of one call, which counts from when the call begins. */
export interface Turn {
  /** Counts the call, which begins now. Throws `TurnExpired` if others may count on it by now. */
  begin(): void;
  /** Gives the turn back, unless the call has begun. */
  end(): void;
}

/** Slots of one warehouse's rate that several processes share. */
export interface SharedSlots {
  /** Takes a free one of so many slots, for a time at most; else returns the time until one may be free, in milliseconds. */
  take(count: number, forMs: number): Promise<{ readonly slot: number } | { readonly waitMs: number }>;
  /** Frees a slot after a time, in milliseconds. */
  free(slot: number, afterMs: number): Promise<void>;
  /** Returns the number of processes that share them, as last heard. */
  processes(): number;
}

/** Factor by which our window is longer than the warehouse's, since calls arrive less evenly than they are sent. */
const MARGIN = 1.05;

/** Time for which a slot may be held before its call begins, in milliseconds; then its process counts as killed. */
const HOLD_MS = 10_000;

/** Part of that time after which the holder itself gives up. */
const HELD_LONG_MS = 0.8 * HOLD_MS;

/** Patience with the store, and time for which it is left alone once it has failed, in milliseconds. */
const STORE_MS = 1000;
const AWAY_MS = 5000;

/** Reason why a call does not begin: its process was stalled, and others may have its turn by now. */
export class TurnExpired extends Error {
  override readonly name = 'TurnExpired';
}

/**
 * Creates the slots of a rate: each is taken by one call, and free again a little more than a second after the call has begun. With
 * shared ones, a call needs a slot of its own process and a shared one; while those cannot be had, each process has its share.
 */
export function createSlots({
  perSecond,
  shared,
  now,
}: {
  readonly perSecond: number;
  readonly shared: SharedSlots | undefined;
  readonly now: () => number;
}) {
  const atOnce = Math.max(1, Math.floor(perSecond));
  const windowMs = Math.max(1, 1 / perSecond) * 1000 * MARGIN;
  const own = createWindow(atOnce, windowMs, now);
  let awayUntil = Number.NEGATIVE_INFINITY;

  /** Rejects if the store is away, or slow. */
  async function takeShared(store: SharedSlots): Promise<Turn | number> {
    const askedAt = now();
    const taking = store.take(atOnce, Math.max(HOLD_MS, windowMs));
    const taken = await within(STORE_MS, taking);
    if ('waitMs' in taken) return taken.waitMs;
    const free = (afterMs: number) => void store.free(taken.slot, afterMs).catch(() => undefined);
    return {
      begin() {
        if (now() - askedAt > HELD_LONG_MS) throw new TurnExpired('the process was stalled before the call');
        free(windowMs);
      },
      end: () => free(0),
    };
  }

  async function take(): Promise<Turn | number> {
    if (!shared) return own.take(atOnce);
    if (now() < awayUntil) return own.take(shareOf(shared));
    const turn = own.take(atOnce);
    if (typeof turn === 'number') return turn;
    try {
      const common = await takeShared(shared);
      if (typeof common === 'number') {
        turn.end();
        return common;
      }
      return once(both(common, turn));
    } catch {
      awayUntil = now() + AWAY_MS;
      turn.end();
      return own.take(shareOf(shared));
    }
  }

  const shareOf = (store: SharedSlots) => Math.max(1, Math.floor(atOnce / Math.max(1, store.processes())));

  return { take, areFree: own.areFree, use: own.use };
}

/** Begins and ends the first turn before the second: what throws is not counted. */
const both = (first: Turn, second: Turn): Turn => ({
  begin() {
    first.begin();
    second.begin();
  },
  end() {
    first.end();
    second.end();
  },
});

/** Limits a turn to one use: a call that has begun keeps its slot, and one that has ended never begins. */
function once({ begin, end }: Turn): Turn {
  let isOver = false;
  return {
    begin() {
      if (isOver) return;
      begin();
      isOver = true;
    },
    end() {
      if (isOver) return;
      isOver = true;
      end();
    },
  };
}

/** Creates the slots of one process. Calls begin in the order of their times, so that the oldest is the next to be free. */
function createWindow(atOnce: number, windowMs: number, now: () => number) {
  /** Times at which the newest calls began, a ring buffer: the next one replaces the oldest. */
  const begun: number[] = Array(atOnce).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  /** Slots of calls that have not begun. */
  let held = 0;
  const freeAt = (count: number) =>
    count > atOnce ? Number.POSITIVE_INFINITY : (begun[(oldest + count - 1) % atOnce] ?? 0) + windowMs;

  const isInUse = (count: number) => (begun[(oldest - count + atOnce) % atOnce] ?? 0) + windowMs > now();

  return {
    /** Takes a slot unless this many are in use, or returns the time until one is free, in milliseconds. */
    take(limit: number): Turn | number {
      const waitMs = freeAt(held + 1 + atOnce - limit) - now();
      if (waitMs > 0) return waitMs;
      held += 1;
      const end = () => {
        held -= 1;
      };
      const begin = () => {
        end();
        begun[oldest] = now();
        oldest = (oldest + 1) % atOnce;
      };
      return once({ begin, end });
    },
    /** Reports whether this many slots are free. */
    areFree: (count: number): boolean => freeAt(held + count) <= now(),
    /** Returns the part of the slots that is in use if so many more calls were, at most 1. */
    use(more: number): number {
      let used = held + more;
      for (let count = 1; count <= atOnce && isInUse(count); count += 1) used += 1;
      return Math.min(1, used / atOnce);
    },
  };
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
