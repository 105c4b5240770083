import { type Kysely, sql, type Transaction } from 'kysely';
import { countDone, type RunningBulk } from '../../admin/tables/bulk-actions.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { permit } from '../../domain/permission.ts';
import type { DestinationFilter, IdentityRef } from '../../domain/routing.ts';
import { makeDue } from '../../inbox/tables/due.ts';
import { isDeadLettered } from '../../store/outbox-conditions.ts';
import { breakLeases } from '../../store/processes.ts';
import { addRows, changeRows, prepared, rowsOf } from '../../store/rows.ts';
import { type Database, type SharedDeps, type StoreDeps, subjectColumns, subjectIn } from '../../store/schema.ts';
import { hasBody } from './announcements.ts';
import { closeGaps, unmark } from './withdrawals.ts';

export type Redelivery = ReturnType<typeof createRedelivery>;

export function createRedelivery({ db, now, clock }: StoreDeps & SharedDeps) {
  return {
    /** Wakes their workflows, and ends leases whose holders are gone. A bulk action counts only dead letters of its preview. */
    async requeue(ids: readonly string[], bulk?: Pick<RunningBulk, 'id' | 'createdAt'>): Promise<void> {
      if (ids.length === 0) return;
      await db.transaction().execute(async (transaction) => {
        const requeued = await changeRows(transaction, 'outbox', { announcement: ids })
          // Its retry time starts over, or the next failure would dead-letter it again.
          .set({ dead_lettered_at: null, dead_letter_reason: null, tried_since: now() })
          .where(isDeadLettered)
          .where('dead_lettered_at', '<=', bulk?.createdAt ?? Number.MAX_SAFE_INTEGER)
          .returning(['tenant', 'kind', 'subject_id'])
          .execute();
        await unmark(transaction, ids);
        await makeDue(transaction, requeued.map(subjectIn), clock);
        await breakLeases(transaction, clock, ids);
        if (bulk) await countDone(transaction, bulk.id, requeued.length);
      });
    },

    /** Marks replays of what was acknowledged, given up, or never got but wanted; not of what is being sent or has no body. */
    async replay(
      ids: readonly string[],
      target: ReplayTarget,
      bulk: Pick<RunningBulk, 'id' | 'createdAt'>,
    ): Promise<void> {
      if (ids.length === 0) return;
      await db.transaction().execute(async (transaction) => {
        const again = await sendAgain(transaction, ids, target, now(), bulk.createdAt);
        await unmark(transaction, ids);
        const first = await sendFirst(transaction, ids, target, now());
        await makeDue(transaction, [...again, ...first], clock);
        await countDone(transaction, bulk.id, again.length + first.length);
      });
    },

    /** The patrol wakes its subjects, some at a time. */
    async sendBacklogNow({ tenant, id }: IdentityRef): Promise<void> {
      await changeRows(db, 'destinations', { tenant, id }).set({ resumed_up_to: '', quiet_until: null }).execute();
    },
  };
}

interface ReplayTarget extends IdentityRef {
  readonly filter: DestinationFilter;
}

async function sendAgain(
  transaction: Transaction<Database>,
  ids: readonly string[],
  { tenant, id: identity, filter }: ReplayTarget,
  now: number,
  previewedAt: number,
): Promise<readonly SubjectRef[]> {
  const kept = await rowsOf(transaction, 'announcements', { id: ids })
    .select(['id', 'customer_id as customerId'])
    .where(hasBody)
    .execute();
  const permitted = kept.flatMap((it) => permit(filter, it)?.id ?? []);
  if (permitted.length === 0) return [];
  const rows = await changeRows(transaction, 'outbox', { announcement: permitted, tenant, destination: identity })
    .set({ sent_at: null, dead_lettered_at: null, dead_letter_reason: null, tried_since: now, replayed_at: now })
    .where(({ eb, or }) => or([eb('sent_at', 'is not', null), eb('dead_lettered_at', 'is not', null)]))
    .where(({ eb, or }) => or([eb('replayed_at', 'is', null), eb('replayed_at', '<', previewedAt)]))
    .returning(['tenant', 'kind', 'subject_id'])
    .execute();
  return rows.map(subjectIn);
}

async function sendFirst(
  transaction: Transaction<Database>,
  ids: readonly string[],
  { tenant, id: destination, filter }: ReplayTarget,
  now: number,
): Promise<readonly SubjectRef[]> {
  const rows = await rowsOf(transaction, 'announcements', { id: ids, tenant })
    .select(['id', 'tenant', 'kind', 'subject_id', 'revision', 'created_at', 'customer_id as customerId'])
    .where(hasBody)
    .where(
      sql<boolean>`not exists (select 1 from outbox where announcement = announcements.id and destination = ${destination})`,
    )
    .execute();
  const wanted = rows.flatMap((row) => permit(filter, row) ?? []);
  if (wanted.length === 0) return [];
  const added = wanted.map(({ id: announcement, customerId: _, ...row }) => ({
    ...row,
    announcement,
    destination,
    tried_since: now,
    replayed_at: now,
  }));
  await addRows(transaction, 'outbox', added).execute();
  await closeGaps(transaction, destination, wanted.map(subjectIn));
  return wanted.map(subjectIn);
}

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
