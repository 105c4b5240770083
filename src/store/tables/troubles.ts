import type { Trouble, Troubles } from '../../../activities/ports/deps.ts';
import { unknownLifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { stageOf } from '../../domain/lifecycle/stage.ts';
import { type StoreDeps, subjectColumns } from '../schema.ts';

/** Creates the notes of failing activities, which are part of their subjects. A subject may have nothing but such a note. */
export function createTroubles({ db, now }: StoreDeps): Troubles {
  return {
    async note(subject, activity, { operation, error, code, status, nextTryAt }) {
      const row = await db
        .selectFrom('subjects')
        .select(activity)
        .where(({ and }) => and(subjectColumns(subject)))
        .executeTakeFirst();
      const known = row?.[activity] ? (JSON.parse(row[activity]) as Trouble) : undefined;
      const trouble: Trouble = {
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
        [activity]: JSON.stringify(trouble),
        ...(activity === 'retrieving' && { retrieving_at: now() }),
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

    async end(subject, activity) {
      await db
        .updateTable('subjects')
        .set({ [activity]: null, ...(activity === 'retrieving' && { retrieving_at: null }) })
        .where(({ and }) => and(subjectColumns(subject)))
        .where(activity, 'is not', null)
        .execute();
    },
  };
}
