import { type Kysely, sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import type { InboxRows } from '../../inbox/rows.ts';
import type { Connections } from '../engines/connections.ts';
import type { Database } from '../schema.ts';
import type { StoreDeps } from '../store-deps.ts';
import { createDispatches } from './dispatches.ts';
import { createEntryWriter } from './inbox-entries.ts';
import { bodyColumns, readQuarantinedRows, withBytes } from './kept-bodies.ts';
import type { WaitingCount } from './waiting-count.ts';
import { waitingRows } from './waiting-rows.ts';

/** The rows of the inbox, with the count of those that wait. */
export function createInboxRows({
  db,
  intake,
  now,
  waiting,
}: StoreDeps & Pick<Connections, 'intake'> & { readonly waiting: WaitingCount }): InboxRows {
  const writeEntries = createEntryWriter();
  const quarantine = async (rows: UpdateQueryBuilder<Database, 'inbox', 'inbox', UpdateResult>, reason: string) => {
    const { numUpdatedRows } = await rows
      .set({ quarantine_reason: reason })
      .where('observed_at', 'is', null)
      .where('quarantine_reason', 'is', null)
      .executeTakeFirst();
    waiting.change(-Number(numUpdatedRows));
  };
  return {
    ...createDispatches({ db, now }),
    waiting: waiting.value,

    async add(entries) {
      const added = await intake((writer) => writeEntries(writer, entries));
      waiting.change(entries.filter((entry, index) => added[index] && entry.quarantineReason === undefined).length);
      return added;
    },

    subjectsAfter: (id, limit) =>
      waitingRows(db)
        .select(['id', 'subject_key as subjectKey', 'received_at as receivedAt'])
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .$narrowType<{ subjectKey: string }>()
        .execute(),

    quarantine: (eventIds, reason) => quarantine(db.updateTable('inbox').where('event_id', 'in', eventIds), reason),
    quarantineAll: (subjectKey, reason) =>
      quarantine(db.updateTable('inbox').where('subject_key', '=', subjectKey), reason),

    quarantinedAfter: (id, limit) =>
      readQuarantinedRows(db.selectFrom('inbox').where('quarantine_reason', 'is not', null), id, limit),

    bodyOf: (eventId) => findBody(db, eventId),

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

/** The bytes of the delivery that told of an event; undefined for one that never came or is not kept any more. */
export async function findBody(db: Kysely<Database>, eventId: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('inbox').select(bodyColumns).where('event_id', '=', eventId).executeTakeFirst();
  // A body that went with its age is empty.
  return row && row.body.byteLength > 0 ? (await withBytes(row)).body : undefined;
}

/** Counts the rows that wait to be observed. */
export async function countWaiting(db: Kysely<Database>): Promise<number> {
  const { count } = await waitingRows(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
