import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { InboxRows } from '../inbox/rows.ts';
import type { Connections } from './connections.ts';
import { isPostgres } from './dialect.ts';
import { createClaim } from './inbox-claim.ts';
import { createEntryWriter } from './inbox-entries.ts';
import { bodyColumns, readParkedRows, withBytes } from './kept-bodies.ts';
import type { Database } from './schema.ts';
import { createWaitingCount } from './waiting-count.ts';
import { waitingRows } from './waiting-rows.ts';

/** The rows of the inbox. How many wait is counted when it is created. */
export async function createInboxRows({
  db,
  intake,
  claims,
  claimsAtOnce,
  now,
}: Pick<Connections, 'db' | 'intake' | 'claims' | 'claimsAtOnce'> & {
  readonly now: () => number;
}): Promise<InboxRows> {
  const waiting = await createWaitingCount({ count: () => countWaiting(db), isShared: isPostgres(db) });
  const writeEntries = createEntryWriter();
  return {
    claimsAtOnce,
    waiting: waiting.value,

    async add(entries) {
      const added = await intake((writer) => writeEntries(writer, entries));
      waiting.change(entries.filter((entry, index) => added[index] && entry.parkedReason === undefined).length);
      return added;
    },

    subjectsAfter: (id, limit) =>
      waitingRows(claims)
        .select(['id', 'subject_key as subjectKey', 'received_at as receivedAt'])
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .$narrowType<{ subjectKey: string }>()
        .execute(),

    claim: createClaim({ claims, now, onLeft: (count) => waiting.change(-count) }),

    async dispatchAgain({ since, before }, limit) {
      const chosen = db
        .selectFrom('inbox')
        .select('id')
        .where('dispatched_at', '>=', since)
        .where('dispatched_at', '<', before)
        // Of the others no more than the key is left.
        .where('kept', 'in', ['all', 'event'])
        .orderBy('dispatched_at')
        .limit(limit);
      const rows = await db
        .updateTable('inbox')
        .set({ dispatched_at: null })
        .where('id', 'in', chosen)
        .returning('id')
        .execute();
      waiting.change(rows.length);
      return rows.length;
    },

    parkedAfter: (id, limit) =>
      readParkedRows(db.selectFrom('inbox').where('parked_reason', 'is not', null), id, limit),

    async bodyOf(eventId) {
      const row = await db.selectFrom('inbox').select(bodyColumns).where('event_id', '=', eventId).executeTakeFirst();
      // A body that went with its age is empty.
      return row && row.body.byteLength > 0 ? (await withBytes(row)).body : undefined;
    },

    async probe() {
      // The smallest write that reaches the disk: there and back, since SQLite writes nothing where a row stays as it is.
      await intake((writer) =>
        writer.transaction().execute(async (transaction) => {
          const turn = sql`update kysely_migration_lock set is_locked = 1 - is_locked`;
          await turn.execute(transaction);
          await turn.execute(transaction);
        }),
      );
    },
  };
}

async function countWaiting(db: Kysely<Database>): Promise<number> {
  const { count } = await waitingRows(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
