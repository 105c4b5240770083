import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import type { Decision } from '../../../activities/ports/recording.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { type Database, subjectColumns } from '../schema.ts';

/** Condition of announcements that are still to be sent, as in their index. */
export const isUnsent = ({ and, eb }: ExpressionBuilder<Database, 'announcements'>) =>
  and([eb('sent_at', 'is', null), eb('dead_lettered_at', 'is', null)]);

/** Condition of announcements that were dead-lettered and not acknowledged since, as in their index. */
export const isDeadLettered = ({ and, eb }: ExpressionBuilder<Database, 'announcements'>) =>
  and([eb('sent_at', 'is', null), eb('dead_lettered_at', 'is not', null)]);

/** Inserts the announcements of a subject, leased to the caller if `leasedUntil` is set. */
export async function insertAnnouncements(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  announcements: Decision['announcements'],
  { now, leasedUntil }: { readonly now: number; readonly leasedUntil: number | null },
): Promise<void> {
  if (announcements.length === 0) return;
  const rows = announcements.map(({ id, revision, summary, body }) => ({
    ...{ id, ...subjectColumns(subject), revision, summary, body: Buffer.from(body) },
    ...{ created_at: now, tried_since: now, leased_until: leasedUntil },
  }));
  await transaction.insertInto('announcements').values(rows).execute();
}

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

/** Returns the ids of a subject's announcements that are still to be sent, in order. */
export async function unsentOf(db: Kysely<Database>, subject: SubjectRef): Promise<string[]> {
  const rows = await db
    .selectFrom('announcements')
    .select('id')
    .where(({ and }) => and(subjectColumns(subject)))
    .where(isUnsent)
    .orderBy('revision')
    .execute();
  return rows.map(({ id }) => id);
}
