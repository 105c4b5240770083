import { sql, type Transaction } from 'kysely';
import { countDone, type RunningBulk } from '../../admin/tables/bulk-actions.ts';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { permit } from '../../domain/permission.ts';
import type { DestinationFilter, IdentityRef } from '../../domain/routing.ts';
import { makeDue } from '../../inbox/tables/due.ts';
import { breakLeases } from '../../store/leases.ts';
import { isDeadLettered } from '../../store/outbox-conditions.ts';
import { addRows, changeRows, rowsOf } from '../../store/rows.ts';
import { type Database, type SharedDeps, type StoreDeps, subjectColumns, subjectIn } from '../../store/schema.ts';
import { giveBackFinished } from '../../store/unfinished.ts';

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
        const keys = requeued.map((row) => subjectKey(subjectIn(row)));
        await unmark(transaction, ids);
        await makeDue(transaction, [...new Set(keys)], clock);
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
        const keys = new Set([...again, ...first].map((it) => subjectKey(it)));
        await makeDue(transaction, [...keys], clock);
        await countDone(transaction, bulk.id, again.length + first.length);
      });
    },
  };
}

/** Ends marks of subjects without dead letters, and their attention where nothing else needs it. */
export async function unmark(transaction: Transaction<Database>, ids: readonly string[]): Promise<void> {
  const isOfThem = sql<boolean>`(tenant, kind, subject_id) in
    (select tenant, kind, subject_id from announcements where id in (${sql.join(ids)}))`;
  await sql`update subjects set unannounced = 0 where unannounced = 1 and ${isOfThem}
    and not exists (select 1 from outbox as other where other.tenant = subjects.tenant
      and other.kind = subjects.kind and other.subject_id = subjects.subject_id
      and coalesce(other.sent_at, -1) = -1 and other.dead_lettered_at is not null)`.execute(transaction);
  await giveBackFinished(transaction, isOfThem);
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
    .where(({ eb, fn }) => eb(fn<number>('length', ['body']), '>', 0))
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
  { tenant, id: identity, filter }: ReplayTarget,
  now: number,
): Promise<readonly SubjectRef[]> {
  const rows = await rowsOf(transaction, 'announcements', { id: ids, tenant })
    .select(['id', 'tenant', 'kind', 'subject_id', 'revision', 'created_at', 'customer_id as customerId'])
    .where(({ eb, fn }) => eb(fn<number>('length', ['body']), '>', 0))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox')
            .select('announcement')
            .whereRef('announcement', '=', 'announcements.id')
            .where('destination', '=', identity),
        ),
      ),
    )
    .orderBy('revision')
    .execute();
  const wanted = rows.flatMap((row) => permit(filter, row) ?? []);
  for (const { id, revision, created_at, ...row } of wanted) {
    const subject = subjectIn(row);
    await addRows(transaction, 'outbox', {
      announcement: id,
      destination: identity,
      ...subjectColumns(subject),
      revision,
      previous: await revisionBefore(transaction, subject, { identity, revision }),
      created_at,
      tried_since: now,
      replayed_at: now,
    }).execute();
  }
  return wanted.map(subjectIn);
}

async function revisionBefore(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { identity, revision }: { readonly identity: string; readonly revision: number },
): Promise<number | null> {
  const row = await transaction
    .selectFrom('announcements')
    .innerJoin('outbox', 'outbox.announcement', 'announcements.id')
    .select(({ fn }) => fn.max('announcements.revision').as('revision'))
    .where('announcements.tenant', '=', subject.tenant)
    .where('announcements.kind', '=', subject.kind)
    .where('announcements.subject_id', '=', subject.id)
    .where('announcements.revision', '<', revision)
    .where('destination', '=', identity)
    .executeTakeFirst();
  return row?.revision ?? null;
}
