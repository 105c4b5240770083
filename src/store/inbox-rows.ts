import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Entry, InboxRows } from '../inbox/rows.ts';
import type { Database } from './schema.ts';
import type { StoreDeps } from './store-deps.ts';

/** The rows of the inbox. How many wait is counted once, when it is created, and kept in memory from then on. */
export async function createInboxRows({ db, now }: StoreDeps): Promise<InboxRows> {
  let waiting = await countWaiting(db);
  return {
    waiting: () => waiting,

    async add(entries) {
      const added = await db.transaction().execute(async (transaction) => {
        const outcomes: boolean[] = [];
        for (const entry of entries) outcomes.push(await insert(transaction, entry));
        return outcomes;
      });
      waiting += entries.filter((entry, index) => added[index] && entry.parkedReason === undefined).length;
      return added;
    },

    subjectsAfter: (id, limit) =>
      waitingRows(db)
        .select(['id', 'subject_key as subjectKey'])
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .$narrowType<{ subjectKey: string }>()
        .execute(),

    ofSubject: (subjectKey, limit) =>
      waitingRows(db)
        .select(['id', 'event'])
        .where('subject_key', '=', subjectKey)
        .orderBy('id')
        .limit(limit)
        .$narrowType<{ event: string }>()
        .execute(),

    async markDispatched(ids) {
      const changed = await change(db, ids, { dispatched_at: now() });
      waiting -= changed;
    },

    async park(ids, reason) {
      const changed = await change(db, ids, { parked_reason: reason });
      waiting -= changed;
    },

    parkedAfter: (id, limit) =>
      db
        .selectFrom('inbox')
        .select(['id', 'endpoint', 'received_at as receivedAt', 'body'])
        .where('parked_reason', 'is not', null)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .execute(),

    async probe() {
      // Rewrites the file's header as it is: the smallest write that reaches the disk.
      await sql`pragma user_version = 0`.execute(db);
    },
  };
}

const waitingRows = (db: Kysely<Database>) =>
  db.selectFrom('inbox').where('dispatched_at', 'is', null).where('parked_reason', 'is', null);

async function countWaiting(db: Kysely<Database>): Promise<number> {
  const { count } = await waitingRows(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether the entry is new: nothing, or only a parked delivery, told of its event before. */
async function insert(transaction: Transaction<Database>, entry: Entry): Promise<boolean> {
  const row = {
    endpoint: entry.endpoint,
    tenant: entry.tenant,
    subject_key: entry.subjectKey ?? null,
    event: entry.event ? JSON.stringify(entry.event) : null,
    parked_reason: entry.parkedReason ?? null,
    received_at: entry.receivedAt,
    body: entry.body,
  };
  const written = await transaction
    .insertInto('inbox')
    .values({ event_id: entry.eventId, ...row })
    .onConflict((conflict) => {
      const known = conflict.column('event_id');
      return entry.parkedReason === undefined
        ? known.doUpdateSet(row).where('inbox.parked_reason', 'is not', null)
        : known.doNothing();
    })
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

async function change(
  db: Kysely<Database>,
  ids: readonly number[],
  values: { readonly dispatched_at: number } | { readonly parked_reason: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('inbox')
    .set(values)
    .where('id', 'in', ids)
    .where('dispatched_at', 'is', null)
    .where('parked_reason', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
