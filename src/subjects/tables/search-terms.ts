import { type Kysely, sql, type Transaction } from 'kysely';
import { foldTerm } from '../../domain/catalogue/record-facts.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { addRows, deleteRows } from '../../store/rows.ts';
import { type Database, subjectColumns, subjectIn } from '../../store/schema.ts';
import { LAST } from '../../store/subject-names.ts';

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

/** Condition of the subjects that a text finds by the beginning of a term, or as the id of their customer. */
export const isFoundBy = (text: string) => sql<boolean>`(tenant, kind, subject_id) in (
  select tenant, kind, subject_id from ${sql.table('search_terms')} where term >= ${foldTerm(text)} and term < ${foldTerm(text) + LAST}
  union select tenant, kind, subject_id from ${sql.table('subjects')} where customer_id = ${text})`;

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
