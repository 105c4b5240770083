import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Actor, AuditedAction } from '../../domain/audit.ts';
import type { Identity } from '../../domain/routing.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import type { BulkFilter, BulkName, Database, StoreDeps } from '../../store/schema.ts';
import { auditRow } from './audit.ts';

/** Age past its end at which an unconfirmed preview is deleted, in milliseconds. */
const FORGOTTEN_MS = 3_600_000;

/** Failures that are kept of one bulk action; more of them say nothing more. */
const FAILURES = 100;

/** Item of a bulk action that failed. */
interface BulkFailure {
  readonly target: string;
  readonly error: string;
}

/** Result of trying a few items, as far as it is not counted yet. */
export interface Tried {
  readonly done?: number;
  readonly asked?: number;
  readonly failures?: readonly BulkFailure[];
}

/** Bulk action that is under way. */
export interface RunningBulk {
  readonly id: number;
  readonly action: BulkName;
  readonly filter: BulkFilter;
  /** Destination of a repetition; null for one that is known by its name. */
  readonly identity: Identity | null;
  /** Time of its preview, in milliseconds since the epoch. */
  readonly createdAt: number;
  /** Place of the last item that was tried, in the order of its action; empty before the first. */
  readonly position: string;
}

type Row = Selectable<Database['bulk_actions']>;

/** Records of bulk actions: what was previewed, who confirmed it, and how far it is. */
export type BulkActions = ReturnType<typeof createBulkActions>;

export function createBulkActions({ db, durably, now }: StoreDeps & Pick<Connections, 'durably'>) {
  /** Writes an entry of the audit log in the transaction that does what it says. */
  async function log(transaction: Transaction<Database>, action: AuditedAction, actor: Actor, id: number) {
    const row = auditRow({ action, actor, target: { type: 'bulk', id: String(id) } }, now());
    const outcome = action === 'cancel' ? 'done' : null;
    const insert = transaction.insertInto('audit').values({ ...row, outcome });
    return (await insert.returning('id').executeTakeFirstOrThrow()).id;
  }

  /** Ends one that is in one of these states; if it was under way, on behalf of somebody. */
  const end = (id: number, from: readonly Row['state'][], state: Row['state'], actor?: Actor): Promise<void> =>
    durably(async (transaction) => {
      const ended = await transaction
        .updateTable('bulk_actions')
        .set({ state, finished_at: now(), trouble: null })
        .where('id', '=', id)
        .where('state', 'in', from)
        .returningAll()
        .executeTakeFirst();
      if (!ended || ended.audit_id === null) return;
      if (actor) await log(transaction, 'cancel', actor, id);
      await logEnd(transaction, ended);
    });

  return {
    /** Writes down a preview; returns its id. */
    async create(preview: Omit<Insertable<Database['bulk_actions']>, 'state'>): Promise<number> {
      const previews = db.deleteFrom('bulk_actions').where('state', '=', 'previewed');
      await previews.where('expires_at', '<', now() - FORGOTTEN_MS).execute();
      const insert = db.insertInto('bulk_actions').values({ ...preview, state: 'previewed' });
      return (await insert.returning('id').executeTakeFirstOrThrow()).id;
    },

    /** Starts it durably, with an entry in the audit log. Returns false if it does not wait for that: it starts once. */
    confirm: (id: number, actor: Actor): Promise<boolean> =>
      durably(async (transaction) => {
        const confirmed = await transaction
          .updateTable('bulk_actions')
          .set({ state: 'running', confirmed_at: now() })
          .where('id', '=', id)
          .where('state', '=', 'previewed')
          .where('expires_at', '>', now())
          .returning('action')
          .executeTakeFirst();
        if (!confirmed) return false;
        const audit_id = await log(transaction, confirmed.action, actor, id);
        await transaction.updateTable('bulk_actions').set({ audit_id }).where('id', '=', id).execute();
        return true;
      }),

    /** Ends it, once the items in progress are done, on behalf of somebody if it is known who. */
    cancel: (id: number, actor?: Actor) => end(id, ['previewed', 'running'], 'canceled', actor),

    /** Ends it: no item is left. */
    finish: (id: number) => end(id, ['running'], 'done'),

    /** Returns those under way, oldest first. */
    async running(): Promise<readonly RunningBulk[]> {
      const rows = await db
        .selectFrom('bulk_actions')
        .select(['id', 'action', 'filter', 'identity', 'created_at as createdAt', 'position'])
        .where('state', '=', 'running')
        .orderBy('id')
        .execute();
      return rows.map(({ filter, ...row }) => ({ ...row, filter: JSON.parse(filter) }));
    },

    /** Counts items that were done. */
    count: (id: number, done: number) => countDone(db, id, done),

    /** Counts what was tried, and moves on to a position; does neither if somebody else has moved it. */
    record: (bulk: RunningBulk, position: string, { done = 0, asked = 0, failures = [] }: Tried): Promise<void> =>
      durably(async (transaction) => {
        const update = transaction.updateTable('bulk_actions').where('id', '=', bulk.id);
        const moved = await update
          .set(({ eb }) => ({
            position,
            trouble: null,
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

    /** Notes why it does not go on. */
    async note(id: number, trouble: string): Promise<void> {
      const running = db.updateTable('bulk_actions').where(({ and }) => and({ id, state: 'running' }));
      await running.set({ trouble }).execute();
    },
  };
}

/** Counts items of a bulk action that were done. */
export async function countDone(db: Kysely<Database>, id: number, count: number): Promise<void> {
  const bulk = db.updateTable('bulk_actions').where('id', '=', id);
  await bulk.set(({ eb }) => ({ done: eb('done', '+', count) })).execute();
}

/** Writes the result into the entry of the audit log that the confirmation wrote. */
async function logEnd(transaction: Transaction<Database>, { state, total, done, asked, failed, audit_id }: Row) {
  const detail = [
    `${done + asked + failed} of ${total} tried, ${failed} failed`,
    asked > 0 ? `, ${asked} without an answer yet` : '',
    state === 'canceled' ? '; canceled' : '',
  ].join('');
  await transaction.updateTable('audit').set({ outcome: 'done', detail }).where('id', '=', audit_id).execute();
}

/** Removes why a subject could not be refreshed: the reason may quote what the warehouse answered. */
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
    const bulk = transaction.updateTable('bulk_actions').where('id', '=', id);
    await bulk.set({ failures: JSON.stringify(kept) }).execute();
  }
}
