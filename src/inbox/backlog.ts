import type { InboxRows } from './rows.ts';

/** The keys of subjects with waiting rows, in the order in which they are to be served. */
export interface Backlog {
  /** Takes the next key, or undefined while none is known to wait. */
  next(): Promise<string | undefined>;
  /** Puts a key at the end. */
  add(key: string): void;
  /** New rows were written. */
  wake(): void;
  /** Begins with the oldest row again, for rows that came to wait without being new. */
  rewind(): void;
  /** Forgets whom it was to tell of what is ripe. */
  close(): void;
}

/** How many rows are read at once; so many keys at most are in memory, however long the backlog is. */
const PAGE = 500;

/** Below so many known keys more are read, so that keys put back never keep others from their turn. */
const FEW = 64;

/** How long the first row of a key waits for others to gather: so long for each other row that waits, and at most so long in all, */
const PER_ROW_MS = 5;
const LONGEST_MS = 1000;

/** or until no row has come for so long. */
const LULL_MS = 50;

/**
 * A backlog that walks through the waiting rows once, oldest first, instead of searching them for every claim. The more there is
 * to do, the longer a new key ripens: all that waits for it travels together, and a burst is taken in before the work that it
 * makes competes with taking it in. Where there is little to do, a key is served at once.
 * `onRipe` is called when the next key was not ripe and is now.
 */
export function createBacklog({
  rows,
  onRipe,
  now = Date.now,
}: {
  readonly rows: Pick<InboxRows, 'subjectsAfter' | 'waiting'>;
  readonly onRipe: () => void;
  readonly now?: () => number;
}): Backlog {
  /** The keys, each with the time of the row that it was found with; 0 where it was put back. */
  const queue = new Map<string, number>();
  let cursor = 0;
  let exhausted = false;
  let ripening: NodeJS.Timeout | undefined;
  // A dispatcher that nobody wakes, because others write the rows, does not know of a lull.
  let lullAt = Number.POSITIVE_INFINITY;

  async function readOn(): Promise<void> {
    exhausted = true;
    const from = cursor;
    const page = await rows.subjectsAfter(from, PAGE);
    if (page.length === PAGE) exhausted = false;
    // It may have been told to begin again meanwhile.
    if (cursor === from) cursor = page.at(-1)?.id ?? from;
    for (const { subjectKey, receivedAt } of page) if (!queue.has(subjectKey)) queue.set(subjectKey, receivedAt);
  }

  function ripensInMs(receivedAt: number): number {
    const ripenMs = Math.min(LONGEST_MS, PER_ROW_MS * (rows.waiting() - 1));
    // A clock that was set back must not hold anything up for longer.
    return Math.min(ripenMs, receivedAt + ripenMs - now(), lullAt - now());
  }

  function tellWhenRipe(ms: number): void {
    ripening ??= setTimeout(() => {
      ripening = undefined;
      onRipe();
    }, ms);
  }

  return {
    async next() {
      if (queue.size < FEW && !exhausted) await readOn();
      const [first] = queue;
      if (!first) return undefined;
      const [key, receivedAt] = first;
      const waitMs = ripensInMs(receivedAt);
      if (waitMs > 0) {
        tellWhenRipe(waitMs);
        return undefined;
      }
      queue.delete(key);
      return key;
    },
    add: (key) => {
      if (!queue.has(key)) queue.set(key, 0);
    },
    wake: () => {
      exhausted = false;
      lullAt = now() + LULL_MS;
    },
    rewind: () => {
      cursor = 0;
      exhausted = false;
    },
    close: () => clearTimeout(ripening),
  };
}
