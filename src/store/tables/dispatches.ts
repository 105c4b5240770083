import { type Kysely, sql, type Transaction } from 'kysely';
import type { InboxRows } from '../../inbox/rows.ts';
import { type Clock, fixed } from '../engines/clock.ts';
import { isPostgres, skipLocked } from '../engines/dialect.ts';
import type { Database, SharedDeps, StoreDeps } from '../schema.ts';
import { waitingRows } from './waiting.ts';

/** Maximum number of events whose names are passed to a woken workflow. */
const NAMES = 20;

/** Creates the record, shared by all dispatchers, of workflows that were woken and have not recorded all waiting events since. */
export function createDispatches({
  db,
  now,
  clock,
}: StoreDeps & SharedDeps): Pick<InboxRows, 'claim' | 'traces' | 'abandon' | 'overdue' | 'stranded' | 'resetClaims'> {
  return {
    async claim(subjectKey) {
      const names = await namesWaiting(db, subjectKey);
      if (names.length === 0) return undefined;
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('dispatches')
        .values({ subject_key: subjectKey, dispatched_at: clock() })
        .onConflict((conflict) => conflict.column('subject_key').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows ? names : undefined;
    },

    traces: async (subjectKey) =>
      (await eventsWaiting(db, subjectKey)).flatMap((event) => textIn(event, 'trace') ?? []),

    async abandon(subjectKey) {
      await db.deleteFrom('dispatches').where('subject_key', '=', subjectKey).execute();
    },

    async overdue(ageMs, limit) {
      const time = fixed(clock());
      // Claims of before the clock was set back. Their age begins now.
      await db.updateTable('dispatches').set({ dispatched_at: time }).where('dispatched_at', '>', time).execute();
      const oldest = db
        .selectFrom('dispatches')
        .select('subject_key')
        .where('dispatched_at', '<=', sql<number>`${time} - ${ageMs}`)
        .orderBy('dispatched_at')
        .limit(limit)
        .modifyEnd(skipLocked(db));
      const rows = await db
        .with('oldest', () => oldest)
        .updateTable('dispatches')
        .set({ dispatched_at: time })
        .where('subject_key', 'in', ({ selectFrom }) => selectFrom('oldest').select('oldest.subject_key'))
        .returning('subject_key as key')
        .execute();
      return rows.map(({ key }) => key);
    },

    async stranded({ ageMs, limit, ...range }) {
      if (!isPostgres(db)) return { keys: [], next: 0 };
      const query = strandedPage(db, { ...range, limit, receivedBy: now() - ageMs, now: now() });
      const { keys, rows, last } = await query.executeTakeFirstOrThrow();
      return { keys: keys ?? [], next: rows < limit ? 0 : last };
    },

    async resetClaims() {
      // On PostgreSQL another process may hold claims; abandoned ones become overdue.
      if (!isPostgres(db)) await db.deleteFrom('dispatches').execute();
    },
  };
}

/** Selects the unclaimed subjects of one page of old waiting rows. It reads no more rows than the limit, however many wait. */
export function strandedPage(
  db: Kysely<Database>,
  page: {
    readonly after: number;
    readonly upTo: number;
    readonly limit: number;
    readonly receivedBy: number;
    /** Time after which a row was received before the clock was set back. */
    readonly now: number;
  },
) {
  return db
    .with('page', () =>
      waitingRows(db)
        .select(['id', 'subject_key', 'received_at'])
        .where('id', '>', page.after)
        .where('id', '<=', page.upTo)
        .orderBy('id')
        .limit(page.limit),
    )
    .selectFrom('page')
    .leftJoinLateral(
      // The limit keeps PostgreSQL from scanning the whole table for a hash join.
      ({ selectFrom }) =>
        selectFrom('dispatches')
          .select('dispatched_at')
          .whereRef('dispatches.subject_key', '=', 'page.subject_key')
          .limit(1)
          .as('claim'),
      (join) => join.onTrue(),
    )
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.max('page.id').as('last')])
    .select(
      sql<readonly string[] | null>`array_agg(distinct page.subject_key)
        filter (where claim.dispatched_at is null
          and (received_at <= ${page.receivedBy} or received_at > ${page.now}))`.as('keys'),
    );
}

/**
 * Ends the claim on a subject unless more events wait for it, and returns their names. A dispatcher claims the subject again for
 * events that arrive later.
 */
export async function settle(
  transaction: Transaction<Database>,
  subjectKey: string,
  clock: Clock,
): Promise<readonly string[]> {
  await transaction.deleteFrom('dispatches').where('subject_key', '=', subjectKey).execute();
  const names = await namesWaiting(transaction, subjectKey);
  if (names.length === 0) return names;
  const row = { subject_key: subjectKey, dispatched_at: clock() };
  await transaction
    .insertInto('dispatches')
    .values(row)
    .onConflict((conflict) => conflict.column('subject_key').doUpdateSet(row))
    .execute();
  return names;
}

/** Names the oldest events that wait. Only another version can have written one without a name. */
const namesWaiting = async (db: Kysely<Database>, subjectKey: string): Promise<readonly string[]> =>
  (await eventsWaiting(db, subjectKey)).map((event) => textIn(event, 'name') ?? 'unreadable');

async function eventsWaiting(db: Kysely<Database>, subjectKey: string): Promise<readonly (string | null)[]> {
  const rows = await waitingRows(db)
    .select('event')
    .where('subject_key', '=', subjectKey)
    .orderBy('id')
    .limit(NAMES)
    .execute();
  return rows.map(({ event }) => event);
}

/** Reads a text of an event. */
function textIn(event: string | null, member: 'name' | 'trace'): string | undefined {
  try {
    const text: unknown = JSON.parse(event ?? '')[member];
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
