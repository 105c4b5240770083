import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ListedSubject, SubjectFilter, SubjectLists } from '../../admin/ports.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { type Attention, attentions } from '../../domain/lifecycle/attention.ts';
import type { Lifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { describeRefusal, type Refusal } from '../../domain/lifecycle/refusal.ts';
import { type Database, type ListingDeps, subjectColumns } from '../schema.ts';

/** Creates the lists of subjects for operators. */
export function createSubjectLists({ reads }: Pick<ListingDeps, 'reads'>): SubjectLists {
  return {
    async list(filter, { after, limit }) {
      const rows = await conditionsOf(filter, after)
        .reduce((query, condition) => query.where(condition), selectSubjects(reads))
        .orderBy('tenant')
        .orderBy('kind')
        .orderBy('subject_id')
        .limit(limit)
        .execute();
      return rows.map(readSubject);
    },

    async find(subject) {
      const row = await selectSubjects(reads)
        .select('lifecycle')
        .where(({ and }) => and(subjectColumns(subject)))
        .executeTakeFirst();
      if (!row) return undefined;
      const { lifecycle, ...listed } = row;
      return { ...readSubject(listed), lifecycle: JSON.parse(lifecycle) as Lifecycle };
    },
  };
}

/** Columns that hold the reasons for attention. */
export const attentionColumns = ['stalled', 'unannounced', 'refused', 'retrieving', 'announcing'] as const;

/** Selects subjects without their lifecycles. */
export const selectSubjects = (db: Kysely<Database>) =>
  db
    .selectFrom('subjects')
    .select([
      ...(['tenant', 'kind', 'subject_id as id', 'stage', 'stage_since as stageSince', 'revision'] as const),
      ...(['reference_number as referenceNumber', 'customer_id as customerId', 'facility_id as facilityId'] as const),
      ...(['last_event_at as lastEventAt', 'updated_at as updatedAt'] as const),
      ...attentionColumns,
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectSubjects>['executeTakeFirstOrThrow']>>;

/** Reads a selected subject. */
export function readSubject({ stalled, unannounced, refused, retrieving, announcing, ...subject }: Row): ListedSubject {
  const applies = {
    stalled: stalled === 1,
    refused: refused !== null,
    unannounced: unannounced === 1,
    failing: retrieving !== null || announcing !== null,
  } as const satisfies Record<Attention, boolean>;
  return {
    ...subject,
    attention: attentions.filter((name) => applies[name]),
    refused: refused === null ? [] : (JSON.parse(refused) as Refusal[]).map(describeRefusal),
    retrieving: retrieving === null ? null : JSON.parse(retrieving),
    announcing: announcing === null ? null : JSON.parse(announcing),
  };
}

/** Condition of subjects that need attention, as their indexes have it. */
export const needsAttention = sql<boolean>`needs_attention = 1`;

/** Conditions of subjects that need attention, by reason. */
export const conditions = {
  stalled: sql<boolean>`${needsAttention} and stalled = 1`,
  refused: sql<boolean>`${needsAttention} and refused is not null`,
  unannounced: sql<boolean>`${needsAttention} and unannounced = 1`,
  failing: sql<boolean>`${needsAttention} and (retrieving is not null or announcing is not null)`,
} as const satisfies Record<Attention, RawBuilder<boolean>>;

/** Returns a condition for each column whose value is given. */
export const columnsAre = (
  values: Partial<Record<keyof Database['subjects'], string | undefined>>,
): readonly RawBuilder<boolean>[] =>
  Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [sql<boolean>`${sql.ref(column)} = ${value}`],
  );

const key = sql`(tenant, kind, subject_id)`;
const keyOf = ({ tenant, kind, id }: SubjectRef) => sql`(${tenant}, ${kind}, ${id})`;

function conditionsOf(
  { tenant, kind, id, stage, customer, attention }: SubjectFilter,
  after: SubjectRef | undefined,
): RawBuilder<boolean>[] {
  return [
    ...columnsAre({ tenant, kind, subject_id: id, stage, customer_id: customer }),
    ...(attention === undefined ? [] : [conditions[attention]]),
    ...(after ? [sql<boolean>`${key} > ${keyOf(after)}`] : []),
  ];
}
