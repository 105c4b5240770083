import { type Kysely, sql } from 'kysely';
import type { AnnouncementLists, ListedAnnouncement } from '../admin/ports.ts';
import type { SubjectKind } from '../domain/subject.ts';
import type { Database } from './schema.ts';
import type { StoreDeps } from './store-deps.ts';

/** The announcements as operators list them. */
export function createAnnouncementLists({ db }: Pick<StoreDeps, 'db'>): AnnouncementLists {
  return {
    async list({ state, since }, { after, limit }) {
      const at = state === 'parked' ? 'parked_at' : 'created_at';
      let query = selectListed(db).orderBy(at).orderBy('id').limit(limit);
      if (state) query = query.where('sent_at', state === 'sent' ? 'is not' : 'is', null);
      if (state === 'unsent' || state === 'parked') {
        query = query.where('parked_at', state === 'parked' ? 'is not' : 'is', null);
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

    async parkedSince(since, { after, limit }) {
      let query = selectListed(db).where('sent_at', 'is', null).where('parked_at', '>=', since).limit(limit);
      for (const column of ['tenant', 'kind', 'subject_id', 'revision'] as const) query = query.orderBy(column);
      if (after) {
        const { tenant, kind, id, revision } = after;
        query = query.where(
          sql<boolean>`(tenant, kind, subject_id, revision) > (${tenant}, ${kind}, ${id}, ${revision})`,
        );
      }
      return (await query.execute()).map(read);
    },
  };
}

const selectListed = (db: Kysely<Database>) =>
  db
    .selectFrom('announcements')
    .select(['id', 'tenant', 'kind', 'subject_id', 'revision', 'created_at', 'sent_at', 'parked_at', 'parked_reason']);

interface Row {
  readonly id: string;
  readonly tenant: string;
  readonly kind: SubjectKind;
  readonly subject_id: string;
  readonly revision: number;
  readonly created_at: number;
  readonly sent_at: number | null;
  readonly parked_at: number | null;
  readonly parked_reason: string | null;
}

function read({ id, tenant, kind, subject_id, revision, ...row }: Row): ListedAnnouncement {
  return {
    ...{ id, subject: { tenant, kind, id: subject_id }, revision },
    state: row.sent_at !== null ? 'sent' : row.parked_at !== null ? 'parked' : 'unsent',
    ...{ createdAt: row.created_at, sentAt: row.sent_at, parkedAt: row.parked_at, parkedReason: row.parked_reason },
  };
}
