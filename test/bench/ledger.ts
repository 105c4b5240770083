import { steps } from './workload.ts';

/** What a destination is told: that an order has reached a milestone. */
export interface Announced {
  readonly orderId: string;
  readonly milestone: string;
}

/** How the announcements that came compare with what is to come: one for each step of each order, in order. */
export interface Verdict {
  readonly lost: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
}

/** Keeps what came for the orders that are expected. */
export interface Ledger {
  /** Expects every step of an order, or the first so many. */
  expect(orderId: string, count?: number): void;
  add(announced: Announced): void;
  /** Resolves when nothing is missing any more, with the time of the last announcement (`performance.now()`), or after a while without any. */
  complete(patienceMs: number, signal?: AbortSignal): Promise<number>;
  /** Resolves when a step of an order was announced, with the time of that. */
  announced(orderId: string, step: number, signal?: AbortSignal): Promise<number>;
  verdict(): Verdict;
}

interface Waiting {
  readonly orderId: string;
  readonly step: number;
  resolve(at: number): void;
}

const stepOf = new Map<string, number>(steps.map(({ milestone }, index) => [milestone, index]));
const POLL_MS = 5;

/** A ledger in which nothing is expected yet. */
export function createLedger(): Ledger {
  const orders = new Map<string, { readonly expected: number; readonly came: number[] }>();
  const waiting = new Set<Waiting>();
  let missing = 0;
  let duplicates = 0;
  let outOfOrder = 0;
  let lastAt = 0;

  return {
    expect(orderId, count = steps.length) {
      orders.set(orderId, { expected: count, came: [] });
      missing += count;
    },
    add({ orderId, milestone }) {
      lastAt = performance.now();
      const order = orders.get(orderId);
      const step = stepOf.get(milestone);
      // What nobody expects is one too many.
      if (!order || step === undefined || step >= order.expected || order.came.includes(step)) duplicates += 1;
      else {
        if (order.came.some((other) => other > step)) outOfOrder += 1;
        order.came.push(step);
        missing -= 1;
        for (const one of waiting) if (one.orderId === orderId && one.step === step) settle(one);
      }
    },
    async complete(patienceMs, signal) {
      let movedAt = performance.now();
      let left = missing;
      while (missing > 0 && performance.now() - movedAt < patienceMs) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        signal?.throwIfAborted();
        if (missing !== left) movedAt = performance.now();
        left = missing;
      }
      return lastAt;
    },
    announced: (orderId, step, signal) =>
      new Promise((resolve, reject) => {
        if (orders.get(orderId)?.came.includes(step)) return resolve(lastAt);
        waiting.add({ orderId, step, resolve });
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    verdict: () => ({ lost: missing, duplicates, outOfOrder }),
  };

  function settle(one: Waiting): void {
    waiting.delete(one);
    one.resolve(lastAt);
  }
}
