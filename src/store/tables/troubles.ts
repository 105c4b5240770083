import type { Trouble, Troubles } from '../../../activities/ports.ts';
import { unknownLifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { stageOf } from '../../domain/lifecycle/stage.ts';
import type { StoreDeps } from '../store-deps.ts';

/** Which activities for a subject fail and are retried, beside where the subject stands; a subject may be known by that alone. */
export function createTroubles({ db, now }: StoreDeps): Troubles {
  return {
    async note({ tenant, kind, id }, activity, { operation, error, nextTryAt }) {
      const row = await db
        .selectFrom('subjects')
        .select(activity)
        .where('tenant', '=', tenant)
        .where('kind', '=', kind)
        .where('subject_id', '=', id)
        .executeTakeFirst();
      const known = row?.[activity] ? (JSON.parse(row[activity]) as Trouble) : undefined;
      const trouble: Trouble = {
        ...{ operation, error, nextTryAt },
        since: known?.since ?? now(),
        attempts: (known?.attempts ?? 0) + 1,
      };
      const change = { [activity]: JSON.stringify(trouble) };
      await db
        .insertInto('subjects')
        .values({
          ...{ tenant, kind, subject_id: id, stage: stageOf(unknownLifecycle), stage_since: now(), revision: 0 },
          ...{ lifecycle: JSON.stringify(unknownLifecycle), last_event_at: 0, updated_at: now(), ...change },
        })
        .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'subject_id']).doUpdateSet(change))
        .execute();
    },

    async end({ tenant, kind, id }, activity) {
      await db
        .updateTable('subjects')
        .set({ [activity]: null })
        .where('tenant', '=', tenant)
        .where('kind', '=', kind)
        .where('subject_id', '=', id)
        .where(activity, 'is not', null)
        .execute();
    },
  };
}
