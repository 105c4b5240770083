import { type Kysely, sql, type Transaction } from 'kysely';
import type { AnnouncementLists, ListedAnnouncement } from '../../admin/ports.ts';
import {
  type Database,
  type ListingDeps,
  type SharedDeps,
  type StoreDeps,
  subjectColumns,
  subjectIn,
} from '../schema.ts';
import { isDeadLettered, isUnsent } from '../tables/announcements.ts';
import { breakLeases } from '../tables/leases.ts';

/** Creates the lists of announcements for operators. */
export function createAnnouncementLists({
  db,
  reads,
  now,
  clock,
}: StoreDeps & SharedDeps & ListingDeps): AnnouncementLists {
  return {
    async list({ state, since }, { after, limit }) {
      const at = state === 'dead-lettered' ? 'dead_lettered_at' : 'created_at';
      let query = selectListed(reads).orderBy(at).orderBy('id').limit(limit);
      if (state === 'sent') query = query.where('sent_at', 'is not', null);
      if (state === 'unsent') query = query.where(isUnsent);
      if (state === 'dead-lettered') query = query.where(isDeadLettered);
      if (since !== undefined) query = query.where(at, '>=', since);
      if (after) query = query.where(sql<boolean>`(${sql.ref(at)}, id) > (${after.at}, ${after.id})`);
      return (await query.execute()).map(read);
    },

    async ofSubject(subject, limit) {
      const rows = await selectListed(reads)
        .where(({ and }) => and(subjectColumns(subject)))
        .orderBy('revision', 'desc')
        .limit(limit)
        .execute();
      return rows.map(read);
    },

    async find(id) {
      const row = await selectListed(reads).select('body').where('id', '=', id).executeTakeFirst();
      return row && { ...read(row), body: row.body };
    },

    async deadLetteredSince(since, { after, limit }) {
      let query = selectListed(reads).where('sent_at', 'is', null).where('dead_lettered_at', '>=', since).limit(limit);
      for (const column of ['tenant', 'kind', 'subject_id', 'revision'] as const) query = query.orderBy(column);
      if (after) {
        const { tenant, kind, id, revision } = after;
        query = query.where(
          sql<boolean>`(tenant, kind, subject_id, revision) > (${tenant}, ${kind}, ${id}, ${revision})`,
        );
      }
      return (await query.execute()).map(read);
    },

    requeue: (ids) =>
      db.transaction().execute(async (transaction) => {
        await requeue(transaction, ids, now());
        await breakLeases(transaction, clock, ids);
      }),
  };
}

/** Requeues dead-lettered announcements and unmarks subjects that have no others. */
async function requeue(transaction: Transaction<Database>, ids: readonly string[], now: number): Promise<void> {
  const subjects = await transaction
    .updateTable('announcements')
    // Its retry time starts over, or the next failure would dead-letter it again.
    .set({ dead_lettered_at: null, dead_letter_reason: null, tried_since: now })
    .where('id', 'in', ids)
    .where(isDeadLettered)
    .returning(['tenant', 'kind', 'subject_id'])
    .execute();
  for (const subject of subjects) {
    const ofSubject = transaction
      .selectFrom('announcements')
      .select('id')
      .where(({ and }) => and(subject));
    await transaction
      .updateTable('subjects')
      .set({ unannounced: 0 })
      .where(({ and }) => and(subject))
      .where(({ exists, not }) => not(exists(ofSubject.where(isDeadLettered))))
      .execute();
  }
}

const selectListed = (db: Kysely<Database>) =>
  db
    .selectFrom('announcements')
    .select(['id', 'tenant', 'kind', 'subject_id', 'revision', 'attempts', 'last_status', 'last_error'])
    .select(['created_at', 'sent_at', 'dead_lettered_at', 'dead_letter_reason', 'bytes', 'left_out']);

type Row = Awaited<ReturnType<ReturnType<typeof selectListed>['executeTakeFirstOrThrow']>>;

function read({ id, revision, attempts, ...row }: Row): ListedAnnouncement {
  return {
    id,
    subject: subjectIn(row),
    revision,
    attempts,
    state: row.sent_at !== null ? 'sent' : row.dead_lettered_at !== null ? 'dead-lettered' : 'unsent',
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    deadLetteredAt: row.dead_lettered_at,
    deadLetterReason: row.dead_letter_reason,
    bytes: row.bytes,
    leftOut: row.left_out?.split(',') ?? [],
  };
}
