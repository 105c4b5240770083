import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Actor, AuditedAction } from '../../domain/audit.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { isFree, leaseFor } from '../../store/processes.ts';
import { changeRows, deleteRows, rowsOf } from '../../store/rows.ts';
import type { BulkFilter, Database, SharedDeps, StoreDeps } from '../../store/schema.ts';
import { auditRow } from './audit.ts';

const FORGOTTEN_MS = 3_600_000;

/** For a few items; then another process takes over. */
const STEP_MS = 20_000;

const FAILURES = 100;

interface BulkFailure {
  readonly target: string;
  readonly error: string;
}

export interface Tried {
  readonly done?: number;
  readonly asked?: number;
  readonly failures?: readonly BulkFailure[];
}

type Row = Selectable<Database['bulk_actions']>;

/** `identity` is of a repetition, and null if its name identifies it. */
export interface RunningBulk extends Pick<Row, 'id' | 'action' | 'identity' | 'position'> {
  readonly filter: BulkFilter;
  readonly createdAt: number;
}

export type BulkActions = ReturnType<typeof createBulkActions>;

export function createBulkActions({ db, durably, now, clock }: StoreDeps & SharedDeps & Pick<Connections, 'durably'>) {
  async function log(transaction: Transaction<Database>, action: AuditedAction, actor: Actor, id: number) {
    const row = auditRow({ action, actor, target: { type: 'bulk', id: String(id) } }, now());
    const outcome = action === 'cancel' ? 'done' : null;
    const insert = transaction.insertInto('audit').values({ ...row, outcome });
    return (await insert.returning('id').executeTakeFirstOrThrow()).id;
  }

  /** If it is in one of these states; `actor` if it was under way. */
  const end = (id: number, from: readonly Row['state'][], state: Row['state'], actor?: Actor): Promise<void> =>
    durably(async (transaction) => {
      const ended = await changeRows(transaction, 'bulk_actions', { id, state: from })
        .set({ state, finished_at: now(), trouble: null })
        .returningAll()
        .executeTakeFirst();
      if (!ended || ended.audit_id === null) return;
      if (actor) await log(transaction, 'cancel', actor, id);
      await logEnd(transaction, ended);
    });

  return {
    async create(preview: Omit<Insertable<Database['bulk_actions']>, 'state'>): Promise<number> {
      const previews = deleteRows(db, 'bulk_actions', { state: 'previewed' });
      await previews.where('expires_at', '<', now() - FORGOTTEN_MS).execute();
      const insert = db.insertInto('bulk_actions').values({ ...preview, state: 'previewed' });
      return (await insert.returning('id').executeTakeFirstOrThrow()).id;
    },

    /** Logs. False if it was not waiting: it starts once. */
    confirm: (id: number, actor: Actor): Promise<boolean> =>
      durably(async (transaction) => {
        const confirmed = await changeRows(transaction, 'bulk_actions', { id, state: 'previewed' })
          .set({ state: 'running', confirmed_at: now() })
          .where('expires_at', '>', now())
          .returning('action')
          .executeTakeFirst();
        if (!confirmed) return false;
        const audit_id = await log(transaction, confirmed.action, actor, id);
        await changeRows(transaction, 'bulk_actions', { id }).set({ audit_id }).execute();
        return true;
      }),

    cancel: (id: number, actor?: Actor) => end(id, ['previewed', 'running'], 'canceled', actor),

    finish: (id: number) => end(id, ['running'], 'done'),

    /** Oldest first, until their next record or for a time. */
    async take(): Promise<readonly RunningBulk[]> {
      const free = rowsOf(db, 'bulk_actions', { state: 'running' }).where(isFree(clock));
      if (!(await free.select('id').limit(1).executeTakeFirst())) return [];
      const rows = await changeRows(db, 'bulk_actions', { state: 'running' })
        .set(leaseFor(clock, STEP_MS))
        .where(isFree(clock))
        .returning(['id', 'action', 'filter', 'identity', 'created_at as createdAt', 'position'])
        .execute();
      return rows.sort((a, b) => a.id - b.id).map(({ filter, ...row }) => ({ ...row, filter: JSON.parse(filter) }));
    },

    count: (id: number, done: number) => countDone(db, id, done),

    /** Does nothing if somebody else has moved the position. */
    record: (bulk: RunningBulk, position: string, { done = 0, asked = 0, failures = [] }: Tried): Promise<void> =>
      durably(async (transaction) => {
        const update = changeRows(transaction, 'bulk_actions', { id: bulk.id });
        const moved = await update
          .set(({ eb }) => ({
            position,
            trouble: null,
            leased_until: null,
            done: eb('done', '+', done),
            asked: eb('asked', '+', asked),
            failed: eb('failed', '+', failures.length),
          }))
          .where('position', '=', bulk.position)
          .returningAll()
          .executeTakeFirst();
        if (!moved) return;
        const kept = [...JSON.parse(moved.failures), ...failures].slice(0, FAILURES);
        if (failures.length > 0) await update.set({ failures: JSON.stringify(kept) }).execute();
        if (moved.state !== 'running') await logEnd(transaction, moved);
      }),

    async note(id: number, trouble: string, forMs: number): Promise<void> {
      const running = changeRows(db, 'bulk_actions', { id, state: 'running' });
      await running.set({ trouble, ...leaseFor(clock, forMs) }).execute();
    },
  };
}

export async function countDone(db: Kysely<Database>, id: number, count: number): Promise<void> {
  const bulk = changeRows(db, 'bulk_actions', { id });
  await bulk.set(({ eb }) => ({ done: eb('done', '+', count) })).execute();
}

async function logEnd(transaction: Transaction<Database>, { state, total, done, asked, failed, audit_id }: Row) {
  const detail = [
    `${done + asked + failed} of ${total} tried, ${failed} failed`,
    asked > 0 ? `, ${asked} without an answer yet` : '',
    state === 'canceled' ? '; canceled' : '',
  ].join('');
  await changeRows(transaction, 'audit', { id: audit_id }).set({ outcome: 'done', detail }).execute();
}

/** Reasons may quote what the warehouse answered. */
export async function eraseFailures(transaction: Transaction<Database>, subjectKey: string): Promise<void> {
  const target = isPostgres(transaction) ? sql`it ->> 'target'` : sql`it.value ->> 'target'`;
  const each = isPostgres(transaction) ? sql`json_array_elements(failures::json)` : sql`json_each(failures)`;
  const rows = await transaction
    .updateTable('bulk_actions')
    // Locks them, so that a failure that is added meanwhile is not lost.
    .set(({ ref }) => ({ failures: ref('failures') }))
    .where(sql<boolean>`exists (select 1 from ${each} as it where ${target} = ${subjectKey})`)
    .returning(['id', 'failures'])
    .execute();
  for (const { id, failures } of rows) {
    const kept = (JSON.parse(failures) as BulkFailure[]).map((it) =>
      it.target === subjectKey ? { ...it, error: 'It was erased.' } : it,
    );
    const bulk = changeRows(transaction, 'bulk_actions', { id });
    await bulk.set({ failures: JSON.stringify(kept) }).execute();
  }
}
