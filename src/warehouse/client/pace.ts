import type { SharedSlots } from '../tables/rate-slots.ts';
import { type Asked, createWaiter, type Waiter } from './flight.ts';

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

interface Turn {
  /** Throws `TurnExpired` if others may count on the turn by now. */
  begin(): void;
  /** Bounds how long the call may have been on its way. */
  answered(): void;
  /** Gives the turn back unless the call has begun. */
  end(): void;
}

/** Our window is longer than the warehouse's: calls arrive less evenly than they are sent. */
const MARGIN = 1.05;

/**
 * Time until a call without an answer counts as arrived. One with an answer arrived earlier: later than sent by no more
 * than it took longer than the quickest.
 */
const ARRIVED_MS = 2000;

const REMEMBERED = 50;

/** Time for which a slot may be held before its call; then its process counts as killed. */
const HOLD_MS = 10_000;

/** After it the holder itself gives up. */
const HELD_LONG_MS = 0.8 * HOLD_MS;

/** Patience with the store, and time for which it is left alone once it has failed. */
const STORE_MS = 3000;
const AWAY_MS = 5000;

/** Each shared call reads the rows of all slots, and a higher rate needs no exact share. */
const MOST_SHARED = 500;

/** This process was stalled, and others may have its turn by now. */
export class TurnExpired extends Error {
  override readonly name = 'TurnExpired';
}

/**
 * Each slot is taken by one call, and free again a little more than a second after its arrival. With shared slots, a
 * call needs one of its own process and a shared one; while those cannot be had, or are too many, each process has its
 * share.
 */
export function createSlots({ perSecond, shared, now }: PaceOptions & { readonly now: () => number }) {
  const atOnce = Math.max(1, Math.floor(perSecond));
  const windowMs = Math.max(1, 1 / perSecond) * 1000 * MARGIN;
  const quickest = createQuickest();
  const own = createWindow(atOnce, now);
  let awayUntil = Number.NEGATIVE_INFINITY;

  function turnOn(slots: Slot): Turn {
    let begunAt: number | undefined;
    let isOver = false;
    return {
      begin() {
        if (isOver || begunAt !== undefined) return;
        slots.check?.();
        begunAt = now();
        slots.free(windowMs + ARRIVED_MS);
      },
      answered() {
        if (begunAt === undefined) return;
        const tookMs = now() - begunAt;
        const lateMs = Math.min(tookMs - quickest(tookMs), ARRIVED_MS);
        slots.free(Math.max(0, windowMs + lateMs - tookMs));
      },
      end() {
        if (!isOver && begunAt === undefined) slots.free(0);
        isOver = true;
      },
    };
  }

  /** Rejects if the store is away or slow. */
  async function takeShared(store: SharedSlots) {
    const askedAt = now();
    const taken = await within(STORE_MS, store.take(atOnce, HELD_LONG_MS + windowMs + ARRIVED_MS));
    if ('waitMs' in taken) return taken.waitMs;
    let freed: Promise<void> = Promise.resolve();
    return {
      check() {
        if (now() - askedAt > HELD_LONG_MS) throw new TurnExpired('the process was stalled before the call');
      },
      free(afterMs: number) {
        const at = now() + afterMs;
        freed = freed.then(() => store.free(taken.slot, Math.max(0, at - now()))).catch(() => undefined);
      },
    };
  }

  async function take(): Promise<Turn | number> {
    const isShared = shared && atOnce <= MOST_SHARED && now() >= awayUntil;
    const slot = own.take(shared && !isShared ? shareOf(shared) : atOnce);
    if (typeof slot === 'number' || !isShared) return typeof slot === 'number' ? slot : turnOn(slot);
    try {
      const common = await takeShared(shared);
      if (typeof common !== 'number') return turnOn(both(slot, common));
      slot.free(0);
      return common;
    } catch {
      awayUntil = now() + AWAY_MS;
      slot.free(0);
      return await take();
    }
  }

  const shareOf = (store: SharedSlots) => Math.max(1, Math.floor(atOnce / Math.max(1, store.processes())));

  return { take, areFree: own.areFree };
}

interface Slot {
  check?(): void;
  free(afterMs: number): void;
}

const both = (own: Slot, common: Slot): Slot => ({
  ...common,
  free(afterMs) {
    own.free(afterMs);
    common.free(afterMs);
  },
});

function createQuickest(): (tookMs: number) => number {
  const newest: number[] = [];
  let next = 0;
  return (tookMs) => {
    newest[next] = tookMs;
    next = (next + 1) % REMEMBERED;
    return Math.min(...newest);
  };
}

function createWindow(atOnce: number, now: () => number) {
  /** With the times at which they are free; unknown for calls that have not begun. */
  const used = new Set<{ freeAt: number }>();

  function areFree(count: number, limit = atOnce): boolean {
    const time = now();
    if (used.size + count > limit) for (const slot of used) if (slot.freeAt <= time) used.delete(slot);
    return used.size + count <= limit;
  }

  return {
    /** Takes a slot unless this many are in use; else returns the milliseconds until one may be free. */
    take(limit: number): number | Slot {
      // One may have become free since they were counted.
      if (!areFree(1, limit)) return Math.max(0, Math.min(...Array.from(used, ({ freeAt }) => freeAt)) - now());
      const slot = { freeAt: Number.POSITIVE_INFINITY };
      used.add(slot);
      return {
        free(afterMs) {
          slot.freeAt = now() + afterMs;
        },
      };
    },
    areFree: (count: number) => areFree(count),
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
