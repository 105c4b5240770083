import { type Kysely, sql, type Transaction } from 'kysely';
import { foldTerm } from '../../domain/catalogue/record-facts.ts';
import { type SubjectRef, type SweptKind, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Lifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { waitingRowsOf } from '../../inbox/tables/waiting.ts';
import { addRows, deleteRows, rowsOf } from '../../store/rows.ts';
import { type Database, type StoreDeps, subjectColumns, subjectIn } from '../../store/schema.ts';
import { isBelievedOpen, LAST } from '../../store/subjects.ts';

export async function saveTerms(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<void> {
  const gone = before.filter((term) => !after.includes(term));
  const added = after.filter((term) => !before.includes(term));
  if (gone.length > 0)
    await deleteRows(transaction, 'search_terms', { term: gone, ...subjectColumns(subject) }).execute();
  if (added.length > 0)
    await addRows(
      transaction,
      'search_terms',
      added.map((term) => ({ term, ...subjectColumns(subject) })),
    ).execute();
}

/** Equal terms first, then those that begin with the text; of one term, higher ids first. */
export async function findByTerm(reads: Kysely<Database>, text: string, limit: number): Promise<readonly SubjectRef[]> {
  const term = foldTerm(text);
  if (term === '') return [];
  const select = () => reads.selectFrom('search_terms').select(['tenant', 'kind', 'subject_id']).limit(limit);
  const equal = await select().where('term', '=', term).orderBy(sql`tenant desc, kind desc, subject_id desc`).execute();
  if (equal.length === limit) return equal.map(subjectIn);
  const longer = await select()
    .where('term', '>', term)
    .where('term', '<', term + LAST)
    .orderBy('term')
    .execute();
  return [...equal, ...longer].map(subjectIn);
}

/** As any record of the customer has it; null if none does. */
export async function findCustomerName(
  reads: Kysely<Database>,
  tenant: string,
  customer_id: string,
): Promise<string | null> {
  const found = rowsOf(reads, 'subjects', { tenant, customer_id }).select('facts').where('facts', 'is not', null);
  const names = (await found.limit(3).execute()).map(({ facts }) => JSON.parse(facts ?? '{}').customerName);
  return names.find((name) => name !== undefined) ?? null;
}

export interface KnownSubject {
  readonly id: string;
  readonly lifecycle: Lifecycle;
}

export type KnownSubjects = ReturnType<typeof createSubjectSearch>;

export function createSubjectSearch({ db, now }: StoreDeps) {
  return {
    async findAll(tenant: string, kind: SweptKind, ids: readonly string[]): Promise<readonly KnownSubject[]> {
      if (ids.length === 0) return [];
      const rows = await subjectsOf(db, tenant, kind).where('subject_id', 'in', ids).execute();
      return rows.map(read);
    },

    /** Their GET is still to come. */
    async findWaiting(tenant: string, kind: SweptKind, ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set();
      const keys = ids.map((id) => subjectKey({ tenant, kind, id }));
      const rows = await waitingRowsOf(db, keys).select('subject_key').distinct().execute();
      const waiting = new Set(rows.map((row) => row.subject_key));
      return new Set(ids.filter((_, index) => waiting.has(keys[index] ?? '')));
    },

    findOpen: async (query: OpenQuery): Promise<readonly KnownSubject[]> =>
      (await openSubjects(db, query, now()).execute()).map(read),
  };
}

/** Equals `subjectKey`. */
export const subjectKeyColumn = sql<string>`kind || ':' || tenant || ':' || subject_id`;

export function openSubjects(db: Kysely<Database>, { tenant, kind, after, quietMs, limit }: OpenQuery, now: number) {
  return subjectsOf(db, tenant, kind)
    .where(isBelievedOpen)
    .where('subject_id', '>', after)
    .where('updated_at', '<=', now - quietMs)
    .orderBy('subject_id')
    .limit(limit);
}

interface OpenQuery {
  readonly tenant: string;
  readonly kind: SweptKind;
  /** Exclusive; empty for the first page. */
  readonly after: string;
  /** Since the last recording. */
  readonly quietMs: number;
  readonly limit: number;
}

const subjectsOf = (db: Kysely<Database>, tenant: string, kind: SweptKind) =>
  rowsOf(db, 'subjects', { tenant, kind }).select(['subject_id as id', 'lifecycle']);

const read = ({ id, lifecycle }: Record<'id' | 'lifecycle', string>): KnownSubject => ({
  id,
  lifecycle: JSON.parse(lifecycle),
});
