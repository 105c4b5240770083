import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ListedSubject, SubjectFilter, SubjectLists } from '../admin/ports.ts';
import type { Lifecycle } from '../domain/lifecycle.ts';
import type { SubjectRef } from '../domain/subject.ts';
import type { Database } from './schema.ts';
import type { StoreDeps } from './store-deps.ts';

/** The read model as operators list it. */
export function createSubjectLists({ db }: Pick<StoreDeps, 'db'>): SubjectLists {
  return {
    async list(filter, { after, limit }) {
      if (filter.among?.length === 0) return [];
      const rows = await conditionsOf(filter, after)
        .reduce((query, condition) => query.where(condition), selectListed(db))
        .orderBy('tenant')
        .orderBy('kind')
        .orderBy('subject_id')
        .limit(limit)
        .execute();
      return rows.map(read);
    },

    async find({ tenant, kind, id }) {
      const row = await selectListed(db)
        .select('lifecycle')
        .where('tenant', '=', tenant)
        .where('kind', '=', kind)
        .where('subject_id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const { lifecycle, ...listed } = row;
      return { ...read(listed), lifecycle: JSON.parse(lifecycle) as Lifecycle };
    },
  };
}

/** The subjects of announcements that were given up and not acknowledged since. */
export const unannounced = sql`select tenant, kind, subject_id from announcements
  where sent_at is null and parked_at is not null`;

const selectListed = (db: Kysely<Database>) =>
  db.selectFrom('subjects').select([
    ...(['tenant', 'kind', 'subject_id as id', 'stage', 'revision', 'needs_attention'] as const),
    ...(['reference_number as referenceNumber', 'customer_id as customerId', 'facility_id as facilityId'] as const),
    ...(['last_event_at as lastEventAt', 'updated_at as updatedAt'] as const),
    sql<unknown>`exists (${unannounced} and announcements.tenant = subjects.tenant
        and announcements.kind = subjects.kind and announcements.subject_id = subjects.subject_id)`.as(
      'is_unannounced',
    ),
  ]);

type Row = Omit<ListedSubject, 'attention'> & { readonly needs_attention: number; readonly is_unannounced: unknown };

function read({ needs_attention, is_unannounced, ...subject }: Row): ListedSubject {
  return { ...subject, attention: needs_attention === 1 ? 'stalled' : is_unannounced ? 'unannounced' : null };
}

const key = sql`(tenant, kind, subject_id)`;
const keyOf = ({ tenant, kind, id }: SubjectRef) => sql`(${tenant}, ${kind}, ${id})`;

function conditionsOf(
  { tenant, kind, id, stage, customer, attention, among }: SubjectFilter,
  after: SubjectRef | undefined,
): RawBuilder<boolean>[] {
  return [
    ...(tenant === undefined ? [] : [sql<boolean>`tenant = ${tenant}`]),
    ...(kind === undefined ? [] : [sql<boolean>`kind = ${kind}`]),
    ...(id === undefined ? [] : [sql<boolean>`subject_id = ${id}`]),
    ...(stage === undefined ? [] : [sql<boolean>`stage = ${stage}`]),
    ...(customer === undefined ? [] : [sql<boolean>`customer_id = ${customer}`]),
    ...(attention === 'stalled' ? [sql<boolean>`needs_attention = 1`] : []),
    ...(attention === 'unannounced' ? [sql<boolean>`${key} in (${unannounced})`] : []),
    ...(among ? [sql<boolean>`${key} in (values ${sql.join(among.map(keyOf))})`] : []),
    ...(after ? [sql<boolean>`${key} > ${keyOf(after)}`] : []),
  ];
}
