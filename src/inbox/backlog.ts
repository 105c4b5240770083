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
}

/** How many rows are read at once; so many keys at most are in memory, however long the backlog is. */
const PAGE = 500;

/** Below so many known keys more are read, so that keys put back never keep others from their turn. */
const FEW = 64;

/** A backlog that walks through the waiting rows once, oldest first, instead of searching them for every claim. */
export function createBacklog({ rows }: { readonly rows: Pick<InboxRows, 'subjectsAfter'> }): Backlog {
  const queue = new Set<string>();
  let cursor = 0;
  let exhausted = false;

  async function readOn(): Promise<void> {
    exhausted = true;
    const from = cursor;
    const page = await rows.subjectsAfter(from, PAGE);
    if (page.length === PAGE) exhausted = false;
    // It may have been told to begin again meanwhile.
    if (cursor === from) cursor = page.at(-1)?.id ?? from;
    for (const { subjectKey } of page) queue.add(subjectKey);
  }

  return {
    async next() {
      if (queue.size < FEW && !exhausted) await readOn();
      const [key] = queue;
      if (key !== undefined) queue.delete(key);
      return key;
    },
    add: (key) => void queue.add(key),
    wake: () => {
      exhausted = false;
    },
    rewind: () => {
      cursor = 0;
      exhausted = false;
    },
  };
}
