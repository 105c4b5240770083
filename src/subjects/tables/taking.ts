import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { type Database, type StoreDeps, subjectColumns } from '../../store/schema.ts';
import { needsAttention } from './attention.ts';
import { isBelievedOpen } from './subject-search.ts';

/** Record of who has taken which subject. */
export type Taking = ReturnType<typeof createTaking>;

/** Columns of a subject that nobody has taken. */
export const takenByNobody = { taken_by: null, taken_at: null } as const;

/** Condition of subjects with something left to do. */
const isUnfinished = sql<boolean>`(${needsAttention} or ${isBelievedOpen})`;

export function createTaking({ db, now }: StoreDeps) {
  const subjectOf = (subject: SubjectRef) =>
    db.updateTable('subjects').where(({ and }) => and(subjectColumns(subject)));
  return {
    /** Notes that somebody has taken a subject, in place of whoever had. Returns when; undefined if nothing is left to do. */
    async take(subject: SubjectRef, by: string): Promise<number | undefined> {
      const taken = { taken_by: by, taken_at: now() };
      const { numUpdatedRows } = await subjectOf(subject).where(isUnfinished).set(taken).executeTakeFirst();
      return numUpdatedRows > 0 ? taken.taken_at : undefined;
    },

    /** Notes that nobody has a subject any more. */
    async giveBack(subject: SubjectRef): Promise<void> {
      await subjectOf(subject).set(takenByNobody).execute();
    },
  };
}

/** Gives back those of some subjects for which nothing is left to do. */
export async function giveBackFinished(
  transaction: Transaction<Database>,
  isAmong: RawBuilder<boolean>,
): Promise<void> {
  const taken = transaction.updateTable('subjects').where('taken_by', 'is not', null).where(isAmong);
  await taken.where(sql<boolean>`not ${isUnfinished}`).set(takenByNobody).execute();
}

/** Name for which a filter finds the subjects that nobody has taken. */
const NOBODY = 'nobody';

/** Reports whether a filter names somebody. */
export const isSomebody = (name: unknown): boolean => name !== undefined && name !== NOBODY;

/** Returns the condition of subjects that somebody of a name has taken, or nobody. */
export const isTakenBy = (name: string): RawBuilder<boolean> =>
  name === NOBODY ? sql`taken_by is null` : sql`taken_by = ${name}`;
