import type { InboxRows } from './rows.ts';

/** Rows per read, which also limits the number of keys in memory. */
const PAGE = 500;

/** Number of queued keys below which more are read, so that requeued keys never starve others. */
const LOW_WATER = 64;

/** Time for which a new key lingers per other queued row, and at most. */
const LINGER_PER_ROW_MS = 5;
const MAX_LINGER_MS = 1000;

/** Time without new rows that ends the linger. */
const IDLE_GAP_MS = 50;

/** Minimum age of the position to rewind to, in milliseconds: longer than any commit of a webhook. */
const REWIND_MS = 4000;

/**
 * Creates a backlog of the keys of subjects with waiting rows, in the order in which they are dispatched. It reads the rows once, oldest
 * first, instead of searching them for each subject. New keys linger under load: events of a subject coalesce, and a burst is accepted
 * before dispatching competes with it. Without load a key is ready at once. Calls `onReady` when the next key was not ready and has
 * become so.
 */
export function createBacklog({
  rows,
  onReady,
  now = Date.now,
}: {
  readonly rows: Pick<InboxRows, 'waitingAfter'>;
  readonly onReady: () => void;
  readonly now?: () => number;
}) {
  /** Queued keys with the number of their rows and the time of the first; 0 for a requeued key. */
  const queue = new Map<string, { readonly receivedAt: number; rows: number }>();
  let queuedRows = 0;
  let cursor = 0;
  let highest = 0;
  /** Earlier positions of the cursor; the older one is at least as old as a rewind needs. */
  let positions = { older: 0, newer: 0, at: now() };
  let isExhausted = false;
  let lingering: NodeJS.Timeout | undefined;
  // Stays infinite for a dispatcher that is never woken because other processes write the rows.
  let idleAt = Number.POSITIVE_INFINITY;

  async function readOn(): Promise<void> {
    isExhausted = true;
    const from = cursor;
    const page = await rows.waitingAfter(from, PAGE);
    if (page.length === PAGE) isExhausted = false;
    const last = page.at(-1)?.id ?? from;
    highest = Math.max(highest, last);
    // It may have been rewound meanwhile.
    if (cursor === from) cursor = last;
    for (const { subjectKey, receivedAt } of page) put(subjectKey, receivedAt);
  }

  function put(key: string, receivedAt: number): void {
    const known = queue.get(key);
    if (known) known.rows += 1;
    else queue.set(key, { receivedAt, rows: 1 });
    queuedRows += 1;
  }

  function readyInMs(receivedAt: number): number {
    const lingerMs = Math.min(MAX_LINGER_MS, LINGER_PER_ROW_MS * (queuedRows - 1));
    // The first term limits the wait if the clock was set back.
    return Math.min(lingerMs, receivedAt + lingerMs - now(), idleAt - now());
  }

  function linger(ms: number): void {
    lingering ??= setTimeout(() => {
      lingering = undefined;
      onReady();
    }, ms);
  }

  return {
    /** Takes the next key that is ready, with the time at which its first row was received, 0 if it was requeued; undefined if there is none. */
    async next() {
      if (queue.size < LOW_WATER && !isExhausted) await readOn();
      const [first] = queue;
      if (!first) return undefined;
      const [key, { receivedAt, rows: ownRows }] = first;
      const waitMs = readyInMs(receivedAt);
      if (waitMs > 0) {
        linger(waitMs);
        return undefined;
      }
      queuedRows -= ownRows;
      queue.delete(key);
      return { key, receivedAt };
    },
    /** Appends a key that is ready. */
    add(key: string) {
      if (!queue.has(key)) put(key, 0);
    },
    /** Reads on at the next call: this process wrote rows. */
    wake() {
      isExhausted = false;
      idleAt = now() + IDLE_GAP_MS;
    },
    /** Reads on at the next call: other processes may have written rows. */
    poll() {
      isExhausted = false;
    },
    /** Rereads the newest rows at the next call: of several writing processes, one may commit a lower id after a higher one. */
    rewind() {
      if (now() - positions.at >= REWIND_MS) positions = { older: positions.newer, newer: cursor, at: now() };
      cursor = positions.older;
      isExhausted = false;
    },
    /** Returns the highest id read. */
    readUpTo: () => highest,
    close: () => clearTimeout(lingering),
  };
}
