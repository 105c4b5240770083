import { createDispatcher } from '../inbox/dispatcher.ts';
import { createInbox } from '../inbox/inbox.ts';
import type { Entry, InboxRows } from '../inbox/rows.ts';

/** How many rows went through, and how long that took. */
export interface Passage {
  readonly rows: number;
  readonly ms: number;
}

/** Rows a second. */
export const perSecond = ({ rows, ms }: Passage): number => (rows / ms) * 1000;

const UNDER_WAY = 64;

/** Takes new rows in as the webhook does, 64 of them at any time. */
export async function takeIn(rows: InboxRows, entries: readonly Entry[]): Promise<Passage> {
  const inbox = createInbox({ rows, limit: Number.POSITIVE_INFINITY });
  const left = entries.values();
  const startedAt = performance.now();
  const lane = async () => {
    for (const entry of left) await inbox.add(entry);
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, lane));
  return { rows: entries.length, ms: performance.now() - startedAt };
}

/** Claims and marks the oldest rows as the service does, at least so many of them. Rejects if any of it fails. */
export async function claim(rows: InboxRows, count: number): Promise<Passage> {
  const { promise: enough, resolve, reject } = Promise.withResolvers<void>();
  let dispatched = 0;
  const fail = ({ err }: { readonly err?: unknown }) => reject(err);
  const dispatcher = createDispatcher({
    rows,
    async dispatch(_, events) {
      dispatched += events.length;
      if (dispatched >= count) resolve();
    },
    isOutage: () => false,
    logger: { info: () => {}, warn: fail, error: fail },
  });
  const startedAt = performance.now();
  dispatcher.start();
  await enough.finally(dispatcher.close);
  return { rows: dispatched, ms: performance.now() - startedAt };
}
