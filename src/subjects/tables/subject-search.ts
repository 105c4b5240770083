import { type Kysely, sql } from 'kysely';
import { type SweptKind, UNNAMED_TENANT } from '../../domain/catalogue/subject.ts';
import type { Lifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { kindsOverOnceCompleted, lastOrderStages } from '../../domain/lifecycle/stage.ts';
import type { Database, StoreDeps } from '../../store/schema.ts';

/** Known subject with its lifecycle. */
export interface KnownSubject {
  readonly id: string;
  readonly lifecycle: Lifecycle;
}

/** Search for many subjects at once. */
export type KnownSubjects = ReturnType<typeof createSubjectSearch>;

export function createSubjectSearch({ db, now }: StoreDeps) {
  return {
    /** Returns the known ones of these ids. */
    async findAll(tenant: string, kind: SweptKind, ids: readonly string[]): Promise<readonly KnownSubject[]> {
      if (ids.length === 0) return [];
      const rows = await subjectsOf(db, tenant, kind).where('subject_id', 'in', ids).execute();
      return rows.map(read);
    },

    /** Returns subjects that are not over and were not recorded lately, by id. */
    async findOpen({ quietMs, ...query }: OpenQuery): Promise<readonly KnownSubject[]> {
      const rows = await openSubjects(db, { ...query, recordedBy: now() - quietMs }).execute();
      return rows.map(read);
    },
  };
}

/** Key of a subject, as `subjectKey` writes it. */
export const subjectKeyColumn = sql<string>`kind || ':' || tenant || ':' || subject_id`;

const listOf = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

/** Condition of the subjects that are not closed, canceled or deleted. Must match the condition of the index by age. */
export const isOpen = sql<boolean>`stage not in (${listOf(lastOrderStages)})`;

/** Condition of the subjects that are believed to be open. Must match the condition of the index of open subjects. */
export const isBelievedOpen = sql<boolean>`${isOpen}
  and not (stage = 'completed' and kind in (${listOf(kindsOverOnceCompleted)}))`;

/** Selects open subjects that were last recorded at or before a time, in milliseconds since the epoch. */
export function openSubjects(
  db: Kysely<Database>,
  { tenant, kind, after, limit, recordedBy }: Omit<OpenQuery, 'quietMs'> & { readonly recordedBy: number },
) {
  return subjectsOf(db, tenant, kind)
    .where(isBelievedOpen)
    .where('subject_id', '>', after)
    .where('updated_at', '<=', recordedBy)
    .orderBy('subject_id')
    .limit(limit);
}

interface OpenQuery {
  readonly tenant: string;
  readonly kind: SweptKind;
  /** Id after which they begin; empty for the first. */
  readonly after: string;
  /** Minimum time since the last recording, in milliseconds. */
  readonly quietMs: number;
  readonly limit: number;
}

const subjectsOf = (db: Kysely<Database>, tenant: string, kind: SweptKind) =>
  db
    .selectFrom('subjects')
    .select(['subject_id as id', 'lifecycle'])
    .where(({ and }) => and({ tenant, kind }));

const read = ({ id, lifecycle }: { readonly id: string; readonly lifecycle: string }) => ({
  id,
  lifecycle: JSON.parse(lifecycle) as Lifecycle,
});

/** Creates the search for tenants of stored subjects: none, the only one, or the lowest and the highest of several ids. */
export function createTenantSearch({ db }: Pick<StoreDeps, 'db'>) {
  const first = async (order: 'asc' | 'desc'): Promise<readonly string[]> => {
    const tenants = db.selectFrom('subjects').select('tenant').where('tenant', '!=', UNNAMED_TENANT);
    return (await tenants.orderBy('tenant', order).limit(1).execute()).map(({ tenant }) => tenant);
  };
  return async (): Promise<readonly string[]> => [...new Set([...(await first('asc')), ...(await first('desc'))])];
}

/** Returns the tenant of an only warehouse, as its messages have named it. */
export async function findOnlyTenant(reads: Kysely<Database>): Promise<string> {
  const row = await reads.selectFrom('subjects').select('tenant').orderBy('tenant').limit(1).executeTakeFirst();
  return row?.tenant ?? 'default';
}
