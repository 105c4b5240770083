import type { Kysely } from 'kysely';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import type { IdentityRef } from '../../domain/routing.ts';
import { makeDue } from '../../inbox/tables/due.ts';
import { prepared } from '../../store/engines/prepared.ts';
import { isOfPaused, isUnsent } from '../../store/outbox-conditions.ts';
import { changeRows, rowsOf } from '../../store/rows.ts';
import { type Database, type SharedDeps, type StoreDeps, subjectColumns, subjectIn } from '../../store/schema.ts';
import { nameOf } from './identities.ts';

export type Expediting = ReturnType<typeof createExpediting>;

export function createExpediting({ db, now, clock }: StoreDeps & SharedDeps) {
  return {
    async announcement(id: string, destinations: readonly string[]): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const rows = await changeRows(transaction, 'outbox', { announcement: id })
          .set({ expedited_at: now() })
          .where(nameOf('outbox'), 'in', destinations)
          .where(isUnsent)
          .where(({ not }) => not(isOfPaused))
          .returning(['tenant', 'kind', 'subject_id'])
          .execute();
        await changeRows(transaction, 'destinations', {
          tenant: [...new Set(rows.map(({ tenant }) => tenant))],
          name: destinations,
        })
          .set({ quiet_until: null })
          .execute();
        await makeDue(transaction, [...new Set(rows.map((row) => subjectKey(subjectIn(row))))], clock);
      });
    },

    /** The patrol wakes its subjects, some at a time. */
    async destination({ tenant, id }: IdentityRef): Promise<void> {
      await changeRows(db, 'destinations', { tenant, id }).set({ resumed_up_to: '', quiet_until: null }).execute();
    },
  };
}

/** Destinations whose waits somebody has ended since. */
export async function takeExpedited(db: Kysely<Database>, subject: SubjectRef): Promise<readonly string[]> {
  const rows = await selectExpedited(db, subjectColumns(subject));
  if (rows.length === 0) return [];
  await changeRows(db, 'outbox', subjectColumns(subject))
    .set({ expedited_at: null })
    .where('expedited_at', 'is not', null)
    .execute();
  return rows.map(({ destination }) => destination);
}

const selectExpedited = prepared((db, subject: ReturnType<typeof subjectColumns>) =>
  rowsOf(db, 'outbox', subject).select('destination').distinct().where('expedited_at', 'is not', null),
);
