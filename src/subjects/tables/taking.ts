import { type RawBuilder, sql } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { changeRows } from '../../store/rows.ts';
import { type StoreDeps, subjectColumns } from '../../store/schema.ts';
import { isUnfinished, takenByNobody } from '../../store/subjects.ts';

export type Taking = ReturnType<typeof createTaking>;

export function createTaking({ db, now }: StoreDeps) {
  const subjectOf = (subject: SubjectRef) => changeRows(db, 'subjects', subjectColumns(subject));
  return {
    /** Replaces whoever had it. Returns when; undefined if nothing is left to do. */
    async take(subject: SubjectRef, by: string): Promise<number | undefined> {
      const taken = { taken_by: by, taken_at: now() };
      const { numUpdatedRows } = await subjectOf(subject).where(isUnfinished).set(taken).executeTakeFirst();
      return numUpdatedRows > 0 ? taken.taken_at : undefined;
    },

    async giveBack(subject: SubjectRef): Promise<void> {
      await subjectOf(subject).set(takenByNobody).execute();
    },
  };
}

const NOBODY = 'nobody';

export const isSomebody = (name: unknown): boolean => name !== undefined && name !== NOBODY;

export const isTakenBy = (name: string): RawBuilder<boolean> =>
  name === NOBODY ? sql`taken_by is null` : sql`taken_by = ${name}`;
