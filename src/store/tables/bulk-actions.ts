import { type Selectable, sql, type Transaction } from 'kysely';
import type { Actor, AuditOutcome } from '../../admin/audit.ts';
import type { BulkAction, BulkActions, BulkQueue } from '../../admin/bulk/ports.ts';
import type { Connections } from '../engines/connections.ts';
import type { Database, StoreDeps } from '../schema.ts';

/** Failures that are kept of one bulk action; more of them say nothing more. */
const FAILURES = 1000;

/** Age past its end at which an unconfirmed preview is deleted, in milliseconds. */
const FORGOTTEN_MS = 3_600_000;

/** Creates the bulk actions: their rows, and the items that wait for their turn or have failed. */
export function createBulkActions({
  db,
  durably,
  now,
}: StoreDeps & Pick<Connections, 'durably'>): BulkActions & BulkQueue {
  const isPreview = (state: string): boolean => state === 'preparing' || state === 'previewed';

  function read({ filter, sample, ...row }: Selectable<Database['bulk_actions']>): BulkAction {
    const isExpired = isPreview(row.state) && row.expires_at <= now();
    return {
      ...{ id: row.id, action: row.action, filter: JSON.parse(filter), state: isExpired ? 'expired' : row.state },
      ...{ createdAt: row.created_at, createdBy: row.created_by, expiresAt: row.expires_at },
      ...{ total: row.total, sample: JSON.parse(sample), done: row.done, failed: row.failed, trouble: row.trouble },
      ...{ confirmedAt: row.confirmed_at, finishedAt: row.finished_at },
    };
  }

  async function deleteForgotten(): Promise<void> {
    const forgotten = await db
      .selectFrom('bulk_actions')
      .select('id')
      .where('state', 'in', ['preparing', 'previewed'])
      .where('expires_at', '<', now() - FORGOTTEN_MS)
      .execute();
    for (const { id } of forgotten) {
      await db.deleteFrom('bulk_items').where('bulk_id', '=', id).execute();
      await db.deleteFrom('bulk_actions').where('id', '=', id).execute();
    }
  }

  /** Writes an entry of the audit log in the transaction that does what it says. */
  async function log(transaction: Transaction<Database>, action: AuditRow['action'], actor: Actor, id: number) {
    const row = {
      ...{ at: now(), ...actor, action },
      ...({ target_type: 'bulk', target: String(id) } as const),
      outcome: action === 'cancel' ? 'done' : null,
    } as const;
    return transaction.insertInto('audit').values(row).returning('id').executeTakeFirstOrThrow();
  }

  /** Ends a bulk action, with the entry of the audit log that its confirmation wrote. */
  async function end(transaction: Transaction<Database>, id: number, state: 'done' | 'canceled'): Promise<void> {
    const { audit_id, done, failed, total } = await transaction
      .updateTable('bulk_actions')
      .set({ state, finished_at: now(), trouble: null })
      .where('id', '=', id)
      .returning(['audit_id', 'done', 'failed', 'total'])
      .executeTakeFirstOrThrow();
    const outcome: AuditOutcome = 'done';
    const detail = `${done + failed} of ${total} tried, ${failed} failed${state === 'canceled' ? '; canceled' : ''}`;
    if (audit_id !== null)
      await transaction.updateTable('audit').set({ outcome, detail }).where('id', '=', audit_id).execute();
    if (state === 'done') return;
    await transaction.deleteFrom('bulk_items').where('bulk_id', '=', id).where('error', 'is', null).execute();
  }

  return {
    async create({ action, filter, by, expiresAt }) {
      await deleteForgotten();
      const row = {
        ...{ action, filter: JSON.stringify(filter), created_at: now() },
        state: 'preparing',
        ...{ created_by: by, expires_at: expiresAt },
      } as const;
      const { id } = await db.insertInto('bulk_actions').values(row).returning('id').executeTakeFirstOrThrow();
      return id;
    },

    async add(id, position, targets) {
      if (targets.length === 0) return;
      const rows = targets.map((target, index) => ({ bulk_id: id, position: position + index, target }));
      await db.insertInto('bulk_items').values(rows).execute();
    },

    async ready(id, { total, sample }) {
      const row = { state: 'previewed', total, sample: JSON.stringify(sample) } as const;
      await db.updateTable('bulk_actions').set(row).where('id', '=', id).execute();
    },

    async find(id) {
      const row = await db.selectFrom('bulk_actions').selectAll().where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },

    async list({ before, limit }) {
      let query = db.selectFrom('bulk_actions').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) query = query.where('id', '<', before);
      return (await query.execute()).map(read);
    },

    failures: (id, limit) =>
      db
        .selectFrom('bulk_items')
        .select(['target', 'error'])
        .where('bulk_id', '=', id)
        .where('error', 'is not', null)
        .orderBy('position')
        .limit(limit)
        .$narrowType<{ error: string }>()
        .execute(),

    confirm: (id, actor) =>
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
        const entry = await log(transaction, confirmed.action, actor, id);
        await transaction.updateTable('bulk_actions').set({ audit_id: entry.id }).where('id', '=', id).execute();
        return true;
      }),

    cancel: (id, actor) =>
      durably(async (transaction) => {
        const locked = await transaction
          .updateTable('bulk_actions')
          .set({ trouble: null })
          .where('id', '=', id)
          .where('state', 'in', ['preparing', 'previewed', 'running'])
          .returning('state')
          .executeTakeFirst();
        if (!locked) return false;
        if (locked.state === 'running') await log(transaction, 'cancel', actor, id);
        await end(transaction, id, 'canceled');
        return true;
      }),

    async lease(holder, forMs) {
      const at = now();
      const isFree = sql<boolean>`state = 'running'
        and (leased_until is null or leased_until <= ${at} or leased_by = ${holder})`;
      const row = await db
        .updateTable('bulk_actions')
        .set({ leased_by: holder, leased_until: at + forMs })
        .where('id', '=', ({ selectFrom }) =>
          selectFrom('bulk_actions')
            .select('id')
            .where(isFree)
            .orderBy(sql`coalesce(leased_until, 0)`)
            .orderBy('id')
            .limit(1),
        )
        // PostgreSQL evaluates it again after another process has changed the row.
        .where(isFree)
        .returning(['id', 'action', 'created_at as createdAt', 'position'])
        .executeTakeFirst();
      return row && { ...row, holder };
    },

    next: ({ id, position }, limit) =>
      db
        .selectFrom('bulk_items')
        .select(['position', 'target', 'error'])
        .where('bulk_id', '=', id)
        .where('position', '>', position)
        .orderBy('position')
        .limit(limit)
        .execute(),

    record: ({ id, holder, position }, results, forMs) =>
      durably(async (transaction) => {
        const failures = results.filter(({ error }) => error !== null);
        const last = results.at(-1)?.position ?? position;
        const row = await transaction
          .updateTable('bulk_actions')
          .set(({ eb }) => ({
            ...{ position: last, trouble: null, leased_until: now() + forMs },
            done: eb('done', '+', results.length - failures.length),
            failed: eb('failed', '+', failures.length),
          }))
          .where('id', '=', id)
          .where('leased_by', '=', holder)
          .where('position', '=', position)
          .returning(['state', 'failed'])
          .executeTakeFirst();
        if (!row) return;
        const room = Math.max(0, FAILURES - (row.failed - failures.length));
        for (const { position: at, error } of failures.slice(0, room)) {
          await transaction
            .updateTable('bulk_items')
            .set({ error })
            .where(({ and }) => and({ bulk_id: id, position: at }))
            .execute();
        }
        await transaction
          .deleteFrom('bulk_items')
          .where('bulk_id', '=', id)
          .where('position', '>', position)
          .where('position', '<=', last)
          .where('error', 'is', null)
          .execute();
        if (row.state === 'canceled') await end(transaction, id, 'canceled');
      }),

    async note({ id, holder }, trouble) {
      await db
        .updateTable('bulk_actions')
        .set({ trouble })
        .where(({ and }) => and({ id, leased_by: holder, state: 'running' }))
        .execute();
    },

    finish: ({ id, holder }) =>
      durably(async (transaction) => {
        const own = await transaction
          .updateTable('bulk_actions')
          .set({ leased_until: null })
          .where(({ and }) => and({ id, leased_by: holder, state: 'running' }))
          .returning('id')
          .executeTakeFirst();
        if (own) await end(transaction, id, 'done');
      }),

    async release(holder) {
      await db
        .updateTable('bulk_actions')
        .set({ leased_by: null, leased_until: null })
        .where('leased_by', '=', holder)
        .execute();
    },
  };
}

type AuditRow = Selectable<Database['audit']>;
