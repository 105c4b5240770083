import { sql, type Transaction } from 'kysely';
import { countDone, type RunningBulk } from '../../admin/tables/bulk-actions.ts';
import { subjectKey } from '../../domain/catalogue/subject.ts';
import { makeDue } from '../../inbox/tables/due.ts';
import { breakLeases } from '../../store/leases.ts';
import { type Database, type SharedDeps, type StoreDeps, subjectIn } from '../../store/schema.ts';
import { giveBackFinished } from '../../subjects/tables/taking.ts';
import { isDeadLettered } from './outgoing.ts';

/** Return of dead letters to the announcements that are sent. */
export type DeadLetters = ReturnType<typeof createDeadLetters>;

export function createDeadLetters({ db, now, clock }: StoreDeps & SharedDeps) {
  return {
    /**
     * Makes dead-lettered announcements unsent again, for every destination that gave them up, and their workflows due to be woken, and ends leases of those whose holders are gone. For
     * a bulk action: only those that were dead letters at its preview, which are counted.
     */
    async requeue(ids: readonly string[], bulk?: Pick<RunningBulk, 'id' | 'createdAt'>): Promise<void> {
      if (ids.length === 0) return;
      await db.transaction().execute(async (transaction) => {
        const requeued = await transaction
          .updateTable('outbox')
          // Its retry time starts over, or the next failure would dead-letter it again.
          .set({ dead_lettered_at: null, dead_letter_reason: null, tried_since: now() })
          .where('announcement', 'in', ids)
          .where(isDeadLettered)
          .where('dead_lettered_at', '<=', bulk?.createdAt ?? Number.MAX_SAFE_INTEGER)
          .returning(['tenant', 'kind', 'subject_id'])
          .execute();
        const keys = requeued.map((row) => subjectKey(subjectIn(row)));
        await unmark(transaction, ids);
        await makeDue(transaction, [...new Set(keys)], clock);
        await breakLeases(transaction, clock, ids);
        if (bulk) await countDone(transaction, bulk.id, requeued.length);
      });
    },
  };
}

/** Ends the marks of the subjects of announcements of which none is a dead letter any more, and gives back those that need nobody then. */
export async function unmark(transaction: Transaction<Database>, ids: readonly string[]): Promise<void> {
  const isOfThem = sql<boolean>`(tenant, kind, subject_id) in
    (select tenant, kind, subject_id from announcements where id in (${sql.join(ids)}))`;
  await sql`update subjects set unannounced = 0 where unannounced = 1 and ${isOfThem}
    and not exists (select 1 from outbox as other where other.tenant = subjects.tenant
      and other.kind = subjects.kind and other.subject_id = subjects.subject_id
      and coalesce(other.sent_at, -1) = -1 and other.dead_lettered_at is not null)`.execute(transaction);
  await giveBackFinished(transaction, isOfThem);
}
