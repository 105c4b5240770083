import { type Kysely, sql, type Transaction } from 'kysely';
import type { AnnouncementLists, ListedAnnouncement } from '../../admin/ports.ts';
import type { Database } from '../schema.ts';
import type { StoreDeps } from '../store-deps.ts';

/** The announcements as operators list them. */
export function createAnnouncementLists({ db }: Pick<StoreDeps, 'db'>): AnnouncementLists {
  return {
    async list({ state, since }, { after, limit }) {
      const at = state === 'dead-lettered' ? 'dead_lettered_at' : 'created_at';
      let query = selectListed(db).orderBy(at).orderBy('id').limit(limit);
      if (state) query = query.where('sent_at', state === 'sent' ? 'is not' : 'is', null);
      if (state === 'unsent' || state === 'dead-lettered') {
        query = query.where('dead_lettered_at', state === 'dead-lettered' ? 'is not' : 'is', null);
      }
      if (since !== undefined) query = query.where(at, '>=', since);
      if (after) query = query.where(sql<boolean>`(${sql.ref(at)}, id) > (${after.at}, ${after.id})`);
      return (await query.execute()).map(read);
    },

    async ofSubject({ tenant, kind, id }, limit) {
      const rows = await selectListed(db)
        .where('tenant', '=', tenant)
        .where('kind', '=', kind)
        .where('subject_id', '=', id)
        .orderBy('revision', 'desc')
        .limit(limit)
        .execute();
      return rows.map(read);
    },

    async find(id) {
      const row = await selectListed(db).select('body').where('id', '=', id).executeTakeFirst();
      return row && { ...read(row), body: row.body };
    },

    async deadLetteredSince(since, { after, limit }) {
      let query = selectListed(db).where('sent_at', 'is', null).where('dead_lettered_at', '>=', since).limit(limit);
      for (const column of ['tenant', 'kind', 'subject_id', 'revision'] as const) query = query.orderBy(column);
      if (after) {
        const { tenant, kind, id, revision } = after;
        query = query.where(
          sql<boolean>`(tenant, kind, subject_id, revision) > (${tenant}, ${kind}, ${id}, ${revision})`,
        );
      }
      return (await query.execute()).map(read);
    },

    requeue: (ids) => db.transaction().execute((transaction) => requeue(transaction, ids)),
  };
}

/** A subject of which nothing is given up any more is not marked for that. */
async function requeue(transaction: Transaction<Database>, ids: readonly string[]): Promise<void> {
  const subjects = await transaction
    .updateTable('announcements')
    // What it failed at in its time is no reason to give it up at once again.
    .set({ dead_lettered_at: null, dead_letter_reason: null, tried_since: Date.now() })
    .where('id', 'in', ids)
    .where('sent_at', 'is', null)
    .where('dead_lettered_at', 'is not', null)
    .returning(['tenant', 'kind', 'subject_id'])
    .execute();
  for (const { tenant, kind, subject_id } of subjects) {
    await transaction
      .updateTable('subjects')
      .set({ unannounced: 0 })
      .where('tenant', '=', tenant)
      .where('kind', '=', kind)
      .where('subject_id', '=', subject_id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('announcements')
              .select('id')
              .where('tenant', '=', tenant)
              .where('kind', '=', kind)
              .where('subject_id', '=', subject_id)
              .where('sent_at', 'is', null)
              .where('dead_lettered_at', 'is not', null),
          ),
        ),
      )
      .execute();
  }
}

const selectListed = (db: Kysely<Database>) =>
  db
    .selectFrom('announcements')
    .select([
      'id',
      'tenant',
      'kind',
      'subject_id',
      'revision',
      'created_at',
      'sent_at',
      'dead_lettered_at',
      'dead_letter_reason',
    ])
    .select(['attempts', 'last_status', 'last_error']);

type Row = Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirstOrThrow']>>;

function read({ id, tenant, kind, subject_id, revision, ...row }: Row): ListedAnnouncement {
  return {
    ...{ id, subject: { tenant, kind, id: subject_id }, revision },
    state: row.sent_at !== null ? 'sent' : row.dead_lettered_at !== null ? 'dead-lettered' : 'unsent',
    ...{ attempts: row.attempts, lastStatus: row.last_status, lastError: row.last_error },
    ...{
      createdAt: row.created_at,
      sentAt: row.sent_at,
      deadLetteredAt: row.dead_lettered_at,
      deadLetterReason: row.dead_letter_reason,
    },
  };
}
