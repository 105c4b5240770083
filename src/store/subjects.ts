import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { foldTerm } from '../domain/catalogue/record-facts.ts';
import { parseSubjectKey, subjectKey } from '../domain/catalogue/subject.ts';
import { kindsOverOnceCompleted, lastOrderStages } from '../domain/lifecycle/stage.ts';
import { isPostgres, textRows } from './engines/dialect.ts';
import { type Database, subjectIn } from './schema.ts';

export const subjectNames = {
  referenceNumber: z.string().nullable().describe("Its subject's."),
  customerName: z.string().nullable().describe("Its subject's, if that is known."),
};

export interface Named {
  readonly referenceNumber: string | null;
  readonly customerName: string | null;
}

const unnamed: Named = { referenceNumber: null, customerName: null };

export async function withNames<const Rows extends readonly { readonly subject: string | null }[]>(
  reads: Kysely<Database>,
  rows: Rows,
): Promise<{ readonly [Index in keyof Rows]: Rows[Index] & Named }> {
  const asked = rows.flatMap(({ subject }) => parseSubjectKey(subject ?? '') ?? []);
  const known = await reads
    .selectFrom('subjects')
    .select(['tenant', 'kind', 'subject_id', 'reference_number', 'facts'])
    .where(
      sql<boolean>`(tenant, kind, subject_id) in (select tenant, kind, id from ${textRows(reads, ['tenant', 'kind', 'id'], asked)} as asked)`,
    )
    .execute();
  const names = new Map(
    known.map((it) => [
      subjectKey(subjectIn(it)),
      {
        referenceNumber: it.reference_number,
        customerName: it.facts === null ? null : ((JSON.parse(it.facts).customerName as string | undefined) ?? null),
      },
    ]),
  );
  const named = rows.map((row) => ({ ...row, ...(names.get(row.subject ?? '') ?? unnamed) }));
  return named as { readonly [Index in keyof Rows]: Rows[Index] & Named };
}

export const customerName = (db: Parameters<typeof isPostgres>[0]): RawBuilder<string | null> =>
  isPostgres(db) ? sql`facts::json ->> 'customerName'` : sql`facts ->> '$.customerName'`;

/** Sorts after every text that begins with what precedes it, by code points. */
export const LAST = '\u{10ffff}';

/** Looked at for customers whose names have a word that begins with a text. */
const NAMED = 2000;

export function isCustomer(reads: Kysely<Database>, column: string, customer: string): RawBuilder<boolean> {
  const term = foldTerm(customer);
  if (/^\d*$/.test(term)) return sql`${sql.ref(column)} = ${customer}`;
  // An article number may begin with the same letters.
  const isNamed = sql`lower(${customerName(reads)}) like '%' || lower(${customer.replaceAll(/[\\%_]/g, '\\$&')}) || '%' escape '\\'`;
  return sql`${sql.ref(column)} in (select cast(${customer} as text) union select known.customer_id
    from (select tenant, kind, subject_id from ${sql.table('search_terms')}
      where term >= ${term} and term < ${term + LAST} order by term limit ${NAMED}) as found
    join ${sql.table('subjects')} as known
      on known.tenant = found.tenant and known.kind = found.kind and known.subject_id = found.subject_id
    where ${isNamed})`;
}

const listOf = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

/** Must match the index by age. */
export const isOpen = sql<boolean>`stage not in (${listOf(lastOrderStages)})`;

/** Must match the index of open subjects. */
export const isBelievedOpen = sql<boolean>`${isOpen}
  and not (stage = 'completed' and kind in (${listOf(kindsOverOnceCompleted)}))`;

export const needsAttention = sql<boolean>`needs_attention = 1`;

export const isUnfinished = sql<boolean>`(${needsAttention} or ${isBelievedOpen})`;

export const takenByNobody = { taken_by: null, taken_at: null } as const;

export async function giveBackFinished(
  transaction: Transaction<Database>,
  isAmong: RawBuilder<boolean>,
): Promise<void> {
  const taken = transaction.updateTable('subjects').where('taken_by', 'is not', null).where(isAmong);
  await taken.where(sql<boolean>`not ${isUnfinished}`).set(takenByNobody).execute();
}
