import type { Kysely, Selectable, SelectQueryBuilder, Transaction } from 'kysely';
import type { BulkAction, BulkActions } from '../../admin/bulk/ports.ts';
import type { Actor, AuditedAction } from '../../domain/audit.ts';
import type { Connections } from '../engines/connections.ts';
import type { Database, StoreDeps } from '../schema.ts';
import { auditRow } from './audit.ts';
import { endBulk } from './bulk-queue.ts';

/** Age past its end at which an unconfirmed preview is deleted, in milliseconds. */
const FORGOTTEN_MS = 3_600_000;

/** Creates the bulk actions for people: previews, confirmations, progress and failures. */
export function createBulkActions({
  db,
  reads,
  durably,
  now,
}: StoreDeps & Pick<Connections, 'reads' | 'durably'>): BulkActions {
  const isPreview = (state: string): boolean => state === 'preparing' || state === 'previewed';

  function read({ filter, sample, ...row }: Selectable<Database['bulk_actions']>): BulkAction {
    const isExpired = isPreview(row.state) && row.expires_at <= now();
    return {
      id: row.id,
      action: row.action,
      filter: JSON.parse(filter),
      state: isExpired ? 'expired' : row.state,
      createdAt: row.created_at,
      createdBy: row.created_by,
      expiresAt: row.expires_at,
      total: row.total,
      sample: JSON.parse(sample),
      done: row.done,
      failed: row.failed,
      trouble: row.trouble,
      confirmedAt: row.confirmed_at,
      finishedAt: row.finished_at,
    };
  }

  /** Writes an entry of the audit log in the transaction that does what it says. */
  function log(transaction: Transaction<Database>, action: AuditedAction, actor: Actor, id: number) {
    const row = auditRow({ action, actor, target: { type: 'bulk', id: String(id) } }, now());
    const outcome = action === 'cancel' ? 'done' : null;
    return transaction
      .insertInto('audit')
      .values({ ...row, outcome })
      .returning('id')
      .executeTakeFirstOrThrow();
  }

  return {
    async create({ action, filter, by, expiresAt }) {
      const unconfirmed = db.selectFrom('bulk_actions').select('id').where('state', 'in', ['preparing', 'previewed']);
      await deleteBulk(db, unconfirmed.where('expires_at', '<', now() - FORGOTTEN_MS));
      const row = {
        action,
        filter: JSON.stringify(filter),
        created_at: now(),
        state: 'preparing',
        created_by: by,
        expires_at: expiresAt,
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
      const row = await reads.selectFrom('bulk_actions').selectAll().where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },

    async list({ before, limit }) {
      let query = reads.selectFrom('bulk_actions').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) query = query.where('id', '<', before);
      return (await query.execute()).map(read);
    },

    failures: (id, limit) =>
      reads
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
        await endBulk(transaction, { id, state: 'canceled', at: now() });
        return true;
      }),
  };
}

/** Deletes bulk actions with the items that they have left; returns the number of the actions. */
export async function deleteBulk(
  db: Kysely<Database>,
  actions: SelectQueryBuilder<Database, 'bulk_actions', { id: number }>,
): Promise<number> {
  const ids = (await actions.execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.deleteFrom('bulk_items').where('bulk_id', 'in', ids).execute();
  const { numDeletedRows } = await db.deleteFrom('bulk_actions').where('id', 'in', ids).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
