import type { Kysely, Transaction } from 'kysely';
import type { Decision, Unrouted } from '../../../activities/ports/recording.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { type Database, subjectColumns } from '../schema.ts';

/** Inserts the announcements of a subject, whoever is to receive them. */
export async function insertAnnouncements(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { announcements, saved }: Pick<Decision, 'announcements' | 'saved'>,
  now: number,
): Promise<void> {
  if (announcements.length === 0) return;
  const rows = announcements.map(({ id, revision, summary, body }) => ({
    id,
    ...subjectColumns(subject),
    revision,
    summary,
    created_at: now,
    customer_id: saved.customerId ?? null,
    bytes: Buffer.byteLength(body),
    body: Buffer.from(body),
  }));
  await transaction.insertInto('announcements').values(rows).execute();
}

/** Returns the announcements of a subject that were recorded before its customer was known and that can still be sent, oldest first. */
export const findUnrouted = (db: Kysely<Database>, subject: SubjectRef): Promise<Unrouted[]> =>
  unrouted(db, subject).select(['id', 'revision', 'created_at as madeAt']).orderBy('revision').execute();

/** Notes the customer of announcements that were recorded before it was known, so that they go to no other. */
export async function nameCustomer(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  customerId: string | null,
): Promise<void> {
  const ids = unrouted(transaction, subject).select('id');
  await transaction.updateTable('announcements').set({ customer_id: customerId }).where('id', 'in', ids).execute();
}

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
