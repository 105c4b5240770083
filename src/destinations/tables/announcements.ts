import type { Kysely, Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Decision, Unrouted } from '../../domain/decision.ts';
import { changeRows, rowsOf } from '../../store/rows.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';

export async function insertAnnouncements(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { announcements }: Pick<Decision, 'announcements'>,
  now: number,
): Promise<void> {
  if (announcements.length === 0) return;
  const rows = announcements.map(({ id, revision, summary, body, customerId }) => ({
    id,
    ...subjectColumns(subject),
    revision,
    summary,
    created_at: now,
    customer_id: customerId,
    bytes: Buffer.byteLength(body),
    body: Buffer.from(body),
  }));
  await transaction.insertInto('announcements').values(rows).execute();
}

/** Recorded before the customer was known and still to be sent, oldest first. */
export async function findUnrouted(db: Kysely<Database>, subject: SubjectRef): Promise<readonly Unrouted[]> {
  const rows = await unrouted(db, subject)
    .select(['id', 'revision', 'created_at as madeAt', 'body'])
    .orderBy('revision')
    .execute();
  return rows.map(({ body, ...row }) => ({ ...row, body: Buffer.from(body).toString() }));
}

/** About the whole subject; undefined if the body is not stored. */
export async function findNewest(
  db: Kysely<Database>,
  subject: SubjectRef,
  customerId: string,
): Promise<string | undefined> {
  const row = await rowsOf(db, 'announcements', subjectColumns(subject))
    .select(['body', 'customer_id'])
    .where('id', 'not like', '%/item%')
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.customer_id === customerId ? Buffer.from(row.body).toString() : undefined;
}

export async function nameCustomer(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { late = [], saved }: Pick<Decision, 'late' | 'saved'>,
): Promise<void> {
  if (late.length === 0) return;
  const ids = unrouted(transaction, subject).select('id');
  const known = transaction.updateTable('announcements').set({ customer_id: saved.customerId ?? null });
  await known.where('id', 'in', ids).execute();
  for (const { id, body } of late) if (body !== undefined) await replaceBody(transaction, id, body).execute();
}

export const replaceBody = (db: Kysely<Database>, id: string, body: string) =>
  changeRows(db, 'announcements', { id }).set({ body: Buffer.from(body), bytes: Buffer.byteLength(body) });

const unrouted = (db: Kysely<Database>, subject: SubjectRef) =>
  rowsOf(db, 'announcements', { ...subjectColumns(subject), customer_id: null }).where(({ eb, fn }) =>
    eb(fn<number>('length', ['body']), '>', 0),
  );

const LINES = 60;

export async function timelineSince(db: Kysely<Database>, subject: SubjectRef, revision: number): Promise<string[]> {
  const rows = await rowsOf(db, 'announcements', subjectColumns(subject))
    .select('summary')
    .where('revision', '>', revision)
    .orderBy('revision', 'desc')
    .limit(LINES)
    .execute();
  return rows.map(({ summary }) => summary).reverse();
}

/** With its destinations; the body is empty once it is no longer kept. */
export async function findRouted(reads: Kysely<Database>, id: string) {
  const row = await rowsOf(reads, 'announcements', { id })
    .select(['id', 'tenant', 'customer_id as customerId', 'body'])
    .executeTakeFirst();
  const rows = await rowsOf(reads, 'outbox', { announcement: id }).select('destination').execute();
  const identities = rows.map(({ destination }) => destination);
  return row && { ...row, body: Buffer.from(row.body).toString(), identities };
}
