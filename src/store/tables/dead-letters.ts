import { sql, type Transaction } from 'kysely';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { type Database, type ListingDeps, type SharedDeps, type StoreDeps, subjectIn } from '../schema.ts';
import { isDeadLettered } from './announcements.ts';
import { makeDue } from './due.ts';
import { breakLeases } from './leases.ts';

/** Announcement that was given up, or was once. */
export interface DeadLetter {
  readonly id: string;
  readonly subject: SubjectRef;
  readonly revision: number;
  /** Milliseconds since the epoch; null if it is no dead letter any longer. */
  readonly deadLetteredAt: number | null;
}

/** Dead letters, and their return to the announcements that are sent. */
export type DeadLetters = ReturnType<typeof createDeadLetters>;

/** Creates the access to dead letters. */
export function createDeadLetters({ db, reads, now, clock }: StoreDeps & SharedDeps & ListingDeps) {
  const select = () =>
    reads
      .selectFrom('announcements')
      .select(['id', 'tenant', 'kind', 'subject_id', 'revision', 'sent_at', 'dead_lettered_at']);
  type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;
  const read = ({ id, revision, ...row }: Row): DeadLetter => ({
    id,
    subject: subjectIn(row),
    revision,
    deadLetteredAt: row.sent_at === null ? row.dead_lettered_at : null,
  });
  return {
    /** Returns those of the ids that exist, whether they are dead letters or not. */
    async find(ids: readonly string[]): Promise<readonly DeadLetter[]> {
      return (await select().where('id', 'in', ids).execute()).map(read);
    },

    /** Returns announcements dead-lettered since a time, by subject and revision. */
    async since(
      since: number,
      { after, limit }: { readonly after?: SubjectRef & { readonly revision: number }; readonly limit: number },
    ): Promise<readonly DeadLetter[]> {
      let query = select().where('sent_at', 'is', null).where('dead_lettered_at', '>=', since).limit(limit);
      for (const column of ['tenant', 'kind', 'subject_id', 'revision'] as const) query = query.orderBy(column);
      if (after) {
        const { tenant, kind, id, revision } = after;
        query = query.where(
          sql<boolean>`(tenant, kind, subject_id, revision) > (${tenant}, ${kind}, ${id}, ${revision})`,
        );
      }
      return (await query.execute()).map(read);
    },

    /** Makes dead-lettered announcements unsent again and their workflows due to be woken, and ends leases of those whose holders are gone. */
    async requeue(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return;
      await db.transaction().execute(async (transaction) => {
        const subjects = await requeue(transaction, ids, now());
        await makeDue(transaction, [...new Set(subjects.map(subjectKey))], clock);
        await breakLeases(transaction, clock, ids);
      });
    },
  };
}

/** Requeues dead-lettered announcements, unmarks subjects that have no others, and returns the subject of each. */
async function requeue(
  transaction: Transaction<Database>,
  ids: readonly string[],
  now: number,
): Promise<readonly SubjectRef[]> {
  const subjects = await transaction
    .updateTable('announcements')
    // Its retry time starts over, or the next failure would dead-letter it again.
    .set({ dead_lettered_at: null, dead_letter_reason: null, tried_since: now })
    .where('id', 'in', ids)
    .where(isDeadLettered)
    .returning(['tenant', 'kind', 'subject_id'])
    .execute();
  for (const subject of subjects) {
    const ofSubject = transaction
      .selectFrom('announcements')
      .select('id')
      .where(({ and }) => and(subject));
    await transaction
      .updateTable('subjects')
      .set({ unannounced: 0 })
      .where(({ and }) => and(subject))
      .where(({ exists, not }) => not(exists(ofSubject.where(isDeadLettered))))
      .execute();
  }
  return subjects.map(subjectIn);
}
