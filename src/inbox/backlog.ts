import type { InboxRows } from './rows.ts';

/** The keys of subjects with new rows, in the order in which they are to be served. */
export interface Backlog {
  /** Takes the next key, or undefined while none is known to wait. */
  next(): Promise<string | undefined>;
  /** Puts a key at the end. */
  add(key: string): void;
  /** New rows were written. */
  wake(): void;
  /** Others may have written rows. */
  look(): void;
  /** Looks once more at the newest rows: of several processes that write, one may commit a lower id after a higher. */
  lookBack(): void;
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

/** How far back it is looked, in milliseconds: longer than any commit of a webhook takes. */
const LOOK_BACK_MS = 4000;

/**
 * A backlog that walks through the waiting rows once, oldest first, instead of searching them for every subject. The more there is
 * to do, the longer a new key ripens: all that waits for it travels together, and a burst is taken in before the work that it
 * makes competes with taking it in. Where there is little to do, a key is served at once.
 * `onRipe` is called when the next key was not ripe and is now.
 */
export function createBacklog({
  rows,
  onRipe,
  now = Date.now,
}: {
  readonly rows: Pick<InboxRows, 'subjectsAfter'>;
  readonly onRipe: () => void;
  readonly now?: () => number;
}): Backlog {
  /** The keys, each with the time of the row that it was found with (0 where it was put back) and the number of its rows. */
  const queue = new Map<string, { readonly receivedAt: number; rows: number }>();
  let rowsKnown = 0;
  let cursor = 0;
  /** Where the cursor was, the older of the two at least so long ago as it is looked back. */
  let marks = { older: 0, newer: 0, at: now() };
  let exhausted = false;
  let ripening: NodeJS.Timeout | undefined;
  // A dispatcher that nobody wakes, because others write the rows, does not know of a lull.
  let lullAt = Number.POSITIVE_INFINITY;

  async function readOn(): Promise<void> {
    exhausted = true;
    const from = cursor;
    const page = await rows.subjectsAfter(from, PAGE);
    if (page.length === PAGE) exhausted = false;
    // It may have been told to look back meanwhile.
    if (cursor === from) cursor = page.at(-1)?.id ?? from;
    for (const { subjectKey, receivedAt } of page) put(subjectKey, receivedAt);
  }

  function put(key: string, receivedAt: number): void {
    const known = queue.get(key);
    if (known) known.rows += 1;
    else queue.set(key, { receivedAt, rows: 1 });
    rowsKnown += 1;
  }

  function take(key: string): void {
    rowsKnown -= queue.get(key)?.rows ?? 0;
    queue.delete(key);
  }

  function ripensInMs(receivedAt: number): number {
    const ripenMs = Math.min(LONGEST_MS, PER_ROW_MS * (rowsKnown - 1));
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
      const [key, { receivedAt }] = first;
      const waitMs = ripensInMs(receivedAt);
      if (waitMs > 0) {
        tellWhenRipe(waitMs);
        return undefined;
      }
      take(key);
      return key;
    },
    add: (key) => {
      if (!queue.has(key)) put(key, 0);
    },
    wake: () => {
      exhausted = false;
      lullAt = now() + LULL_MS;
    },
    look: () => {
      exhausted = false;
    },
    lookBack: () => {
      if (now() - marks.at >= LOOK_BACK_MS) marks = { older: marks.newer, newer: cursor, at: now() };
      cursor = marks.older;
      exhausted = false;
    },
    close: () => clearTimeout(ripening),
  };
}
