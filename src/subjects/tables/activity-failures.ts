import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { FailureCode } from '../../domain/errors.ts';
import { type GetResult, writeRetrievals } from '../../domain/lifecycle/gets.ts';
import { unknownLifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { stageOf } from '../../domain/lifecycle/stage.ts';
import type { Identity } from '../../domain/routing.ts';
import { changeRows, putRows, rowsOf } from '../../store/rows.ts';
import { type StoreDeps, subjectColumns } from '../../store/schema.ts';

export interface ActivityFailure {
  /** `getOrder`, or `announce`. */
  readonly operation: string;
  /** Absent for GETs. */
  readonly destination?: Identity;
  readonly since: number;
  readonly attempts: number;
  readonly error: string;
  readonly code?: FailureCode;
  readonly status?: number;
  readonly at: number;
  readonly nextTryAt: number;
}

/** For people, without asking Temporal. */
export type ActivityFailures = ReturnType<typeof createActivityFailures>;

/** Part of its subject, which may have nothing else. */
export function createActivityFailures({ db, now }: StoreDeps) {
  return {
    async note(
      subject: SubjectRef,
      activity: 'retrieving' | 'announcing',
      {
        gets = [],
        ...failed
      }: Pick<ActivityFailure, 'operation' | 'destination' | 'error' | 'code' | 'status' | 'nextTryAt'> & {
        readonly gets?: readonly GetResult[] | undefined;
      },
    ): Promise<void> {
      const row = await rowsOf(db, 'subjects', subjectColumns(subject))
        .select([activity, 'retrievals'])
        .executeTakeFirst();
      const known = row?.[activity] ? (JSON.parse(row[activity]) as ActivityFailure) : undefined;
      const { operation, error: message } = failed;
      const attempts = (known?.attempts ?? 0) + 1;
      const failure: ActivityFailure = { ...failed, at: now(), since: known?.since ?? now(), attempts };
      const change = {
        [activity]: JSON.stringify(failure),
        ...(activity === 'retrieving' && { retrieving_at: now() }),
        // Only the first failure becomes a retrieval; further ones are counted.
        ...(activity === 'retrieving' &&
          !known && {
            retrievals: writeRetrievals(row?.retrievals, { at: now(), gets, failure: { operation, message } }),
          }),
      };
      const unknown = {
        ...{ ...subjectColumns(subject), revision: 0, lifecycle: JSON.stringify(unknownLifecycle), last_event_at: 0 },
        ...{ stage: stageOf(unknownLifecycle), stage_since: now(), created_at: now(), updated_at: now() },
      };
      await putRows(db, 'subjects', { ...unknown, ...change }, change).execute();
    },

    async end(subject: SubjectRef, activity: 'retrieving' | 'announcing'): Promise<void> {
      await changeRows(db, 'subjects', subjectColumns(subject))
        .set({ [activity]: null, ...(activity === 'retrieving' && { retrieving_at: null }) })
        .where(activity, 'is not', null)
        .execute();
    },
  };
}
