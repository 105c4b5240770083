import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import { createDispatcher } from '../../src/inbox/dispatcher.ts';
import { createInbox } from '../../src/inbox/inbox.ts';
import type { Entry, InboxRows } from '../../src/inbox/rows.ts';
import type { Store } from '../../src/store/store.ts';

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

/**
 * Has the oldest rows dispatched and observed as the service does, at least so many of them; what a workflow would do is to record at
 * once that they changed nothing. Rejects if any of it fails.
 */
export async function observe({ inbox, subjects }: Pick<Store, 'inbox' | 'subjects'>, count: number): Promise<Passage> {
  const { promise: enough, resolve, reject } = Promise.withResolvers<void>();
  let observed = 0;
  const fail = (told: { readonly err?: unknown; readonly reason?: unknown }, message: string) =>
    reject(told.err ?? new Error(`${message}: ${told.reason}`));
  const dispatcher = createDispatcher({
    rows: inbox,
    async wake(subject) {
      const taken = await record(subjects, subject);
      // Not in one line, which would read the sum before it waits.
      observed += taken;
      if (observed >= count) resolve();
    },
    isOutage: () => false,
    logger: { info: () => {}, warn: fail, error: fail },
  });
  const startedAt = performance.now();
  dispatcher.start();
  await enough.finally(dispatcher.close);
  return { rows: observed, ms: performance.now() - startedAt };
}

/** As many events as one step of a workflow reads. */
const EVENTS = 500;

const neverRecorded = { lifecycle: unknownLifecycle, stageSince: 0, refused: [], isUnannounced: false };

/** Records what waits for a subject; returns how many events that were. */
async function record(subjects: Store['subjects'], subject: SubjectRef): Promise<number> {
  const { events } = await subjects.load(subject, EVENTS);
  const ids = events.map(({ id }) => id);
  const { decision } = await subjects.record(subject, ids, async ({ saved = neverRecorded, events: taken }) => ({
    ...{ saved, announcements: [], retrieved: true, taken: taken.length },
  }));
  return decision.taken;
}
