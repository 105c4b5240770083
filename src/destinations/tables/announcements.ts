import type { Kysely, Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Decision, Unrouted } from '../../domain/decision.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';

/** Inserts the announcements of a subject, whoever is to receive them. */
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

/** Returns the announcements of a subject that were recorded before its customer was known and that can still be sent, oldest first. */
export async function findUnrouted(db: Kysely<Database>, subject: SubjectRef): Promise<readonly Unrouted[]> {
  const rows = await unrouted(db, subject)
    .select(['id', 'revision', 'created_at as madeAt', 'body'])
    .orderBy('revision')
    .execute();
  return rows.map(({ body, ...row }) => ({ ...row, body: Buffer.from(body).toString() }));
}

/** Notes the customer of announcements that were recorded before it was known, so that they go to no other, and replaces bodies. */
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

/** Replaces the body of an announcement. */
export const replaceBody = (db: Kysely<Database>, id: string, body: string) =>
  db
    .updateTable('announcements')
    .set({ body: Buffer.from(body), bytes: Buffer.byteLength(body) })
    .where('id', '=', id);

const unrouted = (db: Kysely<Database>, subject: SubjectRef) =>
  db
    .selectFrom('announcements')
    .where(({ and }) => and(subjectColumns(subject)))
    .where('customer_id', 'is', null)
    .where(({ eb, fn }) => eb(fn<number>('length', ['body']), '>', 0));

/** Maximum number of timeline lines returned for a subject. */
const LINES = 60;

/** Returns the newest lines of a subject's timeline after a revision, oldest first. */
export async function timelineSince(db: Kysely<Database>, subject: SubjectRef, revision: number): Promise<string[]> {
  const rows = await db
    .selectFrom('announcements')
    .select('summary')
    .where(({ and }) => and(subjectColumns(subject)))
    .where('revision', '>', revision)
    .orderBy('revision', 'desc')
    .limit(LINES)
    .execute();
  return rows.map(({ summary }) => summary).reverse();
}
