import type { Kysely } from 'kysely';
import type { Trouble, Troubles } from '../../../activities/ports/deps.ts';
import { unknownLifecycle } from '../../domain/lifecycle/lifecycle.ts';
import { stageOf } from '../../domain/lifecycle/stage.ts';
import { type Database, type StoreDeps, subjectColumns } from '../schema.ts';
import { attentionIs } from './attention.ts';

/** Creates the notes of failing activities, which are part of their subjects. A subject may have nothing but such a note. */
export function createTroubles({ db, now }: StoreDeps): Troubles {
  return {
    async note(subject, activity, { operation, error, code, nextTryAt }) {
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
        nextTryAt,
        since: known?.since ?? now(),
        attempts: (known?.attempts ?? 0) + 1,
      };
      const change = { [activity]: JSON.stringify(trouble) };
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
        .set({ [activity]: null })
        .where(({ and }) => and(subjectColumns(subject)))
        .where(activity, 'is not', null)
        .execute();
    },
  };
}

/** Activity that fails for a subject of a tenant. */
export interface TenantTrouble extends Trouble {
  readonly tenant: string;
  readonly customerId: string | null;
  readonly activity: 'retrieving' | 'announcing';
}

/** Maximum number of subjects with failing activities that are read. */
export const TROUBLES_READ = 1000;

/** Reads the activities that fail and are retried, of a limited number of subjects. */
export async function readTroubles(reads: Kysely<Database>): Promise<readonly TenantTrouble[]> {
  const rows = await reads
    .selectFrom('subjects')
    .select(['tenant', 'customer_id as customerId', 'retrieving', 'announcing'])
    .where(attentionIs.failing)
    .limit(TROUBLES_READ)
    .execute();
  return rows.flatMap(({ tenant, customerId, ...row }) =>
    (['retrieving', 'announcing'] as const).flatMap((activity) => {
      const json = row[activity];
      return json === null ? [] : [{ tenant, customerId, activity, ...(JSON.parse(json) as Trouble) }];
    }),
  );
}
