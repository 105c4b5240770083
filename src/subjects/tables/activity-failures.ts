import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { FailureCode } from '../../domain/errors.ts';
import { type GetResult, writeRetrievals } from '../../domain/lifecycle/gets.ts';
import { unknownLifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { stageOf } from '../../domain/lifecycle/stage.ts';
import { type StoreDeps, subjectColumns } from '../../store/schema.ts';

/** Activity for a subject that fails and is retried. Times are milliseconds since the epoch. */
export interface ActivityFailure {
  /** Operation that failed (`getOrder`), or `announce`. */
  readonly operation: string;
  readonly since: number;
  readonly attempts: number;
  readonly error: string;
  /** Code of the failure; absent for one without. */
  readonly code?: FailureCode;
  /** HTTP status of the answer, or reply code of a broker; absent if there was none. */
  readonly status?: number;
  /** Time of the last failure. */
  readonly at: number;
  readonly nextTryAt: number;
}

/** Failing activities, for people to see without asking Temporal. */
export type ActivityFailures = ReturnType<typeof createActivityFailures>;

/** Creates the notes of failing activities, which are part of their subjects. A subject may have nothing but such a note. */
export function createActivityFailures({ db, now }: StoreDeps) {
  return {
    async note(
      subject: SubjectRef,
      activity: 'retrieving' | 'announcing',
      {
        operation,
        error,
        code,
        status,
        nextTryAt,
        gets = [],
      }: Pick<ActivityFailure, 'operation' | 'error' | 'code' | 'status' | 'nextTryAt'> & {
        /** GETs of the attempt that failed. Default: none. */
        readonly gets?: readonly GetResult[] | undefined;
      },
    ): Promise<void> {
      const row = await db
        .selectFrom('subjects')
        .select([activity, 'retrievals'])
        .where(({ and }) => and(subjectColumns(subject)))
        .executeTakeFirst();
      const known = row?.[activity] ? (JSON.parse(row[activity]) as ActivityFailure) : undefined;
      const failure: ActivityFailure = {
        operation,
        error,
        ...(code !== undefined && { code }),
        ...(status !== undefined && { status }),
        at: now(),
        nextTryAt,
        since: known?.since ?? now(),
        attempts: (known?.attempts ?? 0) + 1,
      };
      const change = {
        [activity]: JSON.stringify(failure),
        ...(activity === 'retrieving' && { retrieving_at: now() }),
        // Each further failure is counted only.
        ...(activity === 'retrieving' &&
          !known && {
            retrievals: writeRetrievals(row?.retrievals, { at: now(), gets, failure: `${operation}: ${error}` }),
          }),
      };
      await db
        .insertInto('subjects')
        .values({
          ...subjectColumns(subject),
          stage: stageOf(unknownLifecycle),
          stage_since: now(),
          revision: 0,
          lifecycle: JSON.stringify(unknownLifecycle),
          last_event_at: 0,
          created_at: now(),
          updated_at: now(),
          ...change,
        })
        .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'subject_id']).doUpdateSet(change))
        .execute();
    },

    async end(subject: SubjectRef, activity: 'retrieving' | 'announcing'): Promise<void> {
      await db
        .updateTable('subjects')
        .set({ [activity]: null, ...(activity === 'retrieving' && { retrieving_at: null }) })
        .where(({ and }) => and(subjectColumns(subject)))
        .where(activity, 'is not', null)
        .execute();
    },
  };
}
