import { steps } from './workload.ts';

/** Milestone of an order as announced to the destination. */
export interface Announced {
  readonly orderId: string;
  readonly milestone: string;
}

/** Differences between the announcements received and those expected: one per step of each order, in order. */
export interface Verdict {
  readonly lost: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
}

/** Adds up the verdicts of several systems. */
export const sumVerdicts = (verdicts: readonly Verdict[]): Verdict => ({
  lost: verdicts.reduce((sum, { lost }) => sum + lost, 0),
  duplicates: verdicts.reduce((sum, { duplicates }) => sum + duplicates, 0),
  outOfOrder: verdicts.reduce((sum, { outOfOrder }) => sum + outOfOrder, 0),
});

/** Reports whether nothing was lost, doubled or out of order. */
export const isFlawless = ({ lost, duplicates, outOfOrder }: Verdict): boolean =>
  lost === 0 && duplicates === 0 && outOfOrder === 0;

/** Record of the announcements received for the orders expected. */
export interface Ledger {
  /** Expects every step of an order. */
  expect(orderId: string): void;
  add(announced: Announced): void;
  /** Resolves with the time of the last announcement (`performance.now()`): once none is missing, or none has arrived for `patienceMs`. */
  complete(patienceMs: number, signal?: AbortSignal): Promise<number>;
  /** Returns the time at which a step was announced; undefined while it was not. */
  announcedAt(orderId: string, step: number): number | undefined;
  verdict(): Verdict;
}

const stepOf = new Map<string, number>(steps.map(({ milestone }, index) => [milestone, index]));
const POLL_MS = 5;

/** Creates a ledger that expects no order yet. */
export function createLedger(): Ledger {
  const received = new Map<string, Map<number, number>>();
  let missing = 0;
  let duplicates = 0;
  let outOfOrder = 0;
  let lastAt = 0;

  return {
    expect(orderId) {
      received.set(orderId, new Map());
      missing += steps.length;
    },
    add({ orderId, milestone }) {
      lastAt = performance.now();
      const before = received.get(orderId);
      const step = stepOf.get(milestone);
      // An announcement that nobody expects is one too many.
      if (!before || step === undefined || before.has(step)) duplicates += 1;
      else {
        if (before.keys().some((other) => other > step)) outOfOrder += 1;
        before.set(step, lastAt);
        missing -= 1;
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
    announcedAt: (orderId, step) => received.get(orderId)?.get(step),
    verdict: () => ({ lost: missing, duplicates, outOfOrder }),
  };
}
