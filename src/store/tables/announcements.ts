import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import type { Decision } from '../../../activities/ports/recording.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Clock } from '../engines/clock.ts';
import { type Database, subjectColumns } from '../schema.ts';

/** Condition of announcements that are still to be sent, as in their index. */
export const isUnsent = ({ and, eb }: ExpressionBuilder<Database, 'announcements'>) =>
  and([eb('sent_at', 'is', null), eb('dead_lettered_at', 'is', null)]);

/** Condition of announcements that were dead-lettered and not acknowledged since, as in their index. */
export const isDeadLettered = ({ and, eb }: ExpressionBuilder<Database, 'announcements'>) =>
  and([eb('sent_at', 'is', null), eb('dead_lettered_at', 'is not', null)]);

/** Lease of announcements that are inserted. */
interface NewLease {
  readonly clock: Clock;
  readonly holder: string;
  /** Its length in milliseconds; undefined for none. */
  readonly leaseMs: number | undefined;
}

/** Inserts the announcements of a subject, leased to their holder if there is a length; returns the end of the lease. */
export async function insertAnnouncements(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  announcements: Decision['announcements'],
  { now, clock, holder, leaseMs }: NewLease & { readonly now: number },
): Promise<number | null> {
  if (announcements.length === 0) return null;
  const begin = sql<number>`(select at from clock)`;
  const lease = leaseMs !== undefined && {
    leased_by: holder,
    leased_at: begin,
    leased_until: sql<number>`${begin} + ${leaseMs}`,
  };
  const rows = announcements.map(({ id, revision, summary, body }) => ({
    id,
    ...subjectColumns(subject),
    revision,
    summary,
    body: Buffer.from(body),
    bytes: Buffer.byteLength(body),
    created_at: now,
    tried_since: now,
    ...lease,
  }));
  const [inserted] = await transaction
    // Once for all rows, so that they have one lease.
    .with('clock', (query) => query.selectNoFrom(clock().as('at')))
    .insertInto('announcements')
    .values(rows)
    .returning('leased_until')
    .execute();
  return inserted?.leased_until ?? null;
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
