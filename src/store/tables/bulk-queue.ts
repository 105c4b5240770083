import { sql, type Transaction } from 'kysely';
import type { BulkQueue } from '../../admin/bulk/ports.ts';
import type { Connections } from '../engines/connections.ts';
import type { Database, SharedDeps, StoreDeps } from '../schema.ts';
import { isFree, leaseFor } from './leases.ts';

/** Failures that are kept of one bulk action; more of them say nothing more. */
const FAILURES = 1000;

/** Creates the queue of confirmed bulk actions, whose items wait for their turn. */
export function createBulkQueue({
  db,
  durably,
  now,
  clock,
}: StoreDeps & SharedDeps & Pick<Connections, 'durably'>): BulkQueue {
  return {
    async lease(holder, forMs) {
      const mayLease = sql<boolean>`state = 'running' and (${isFree(clock)} or leased_by = ${holder})`;
      const row = await db
        .updateTable('bulk_actions')
        .set({ leased_by: holder, ...leaseFor(clock, forMs) })
        .where('id', '=', ({ selectFrom }) =>
          selectFrom('bulk_actions')
            .select('id')
            .where(mayLease)
            .orderBy(sql`coalesce(leased_until, 0)`)
            .orderBy('id')
            .limit(1),
        )
        // PostgreSQL evaluates it again after another process has changed the row.
        .where(mayLease)
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
            position: last,
            trouble: null,
            ...leaseFor(clock, forMs),
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
        if (row.state === 'canceled') await endBulk(transaction, { id, state: 'canceled', at: now() });
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
        if (own) await endBulk(transaction, { id, state: 'done', at: now() });
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

/** Ends a bulk action, with the entry of the audit log that its confirmation wrote. The items that were not tried are deleted. */
export async function endBulk(
  transaction: Transaction<Database>,
  { id, state, at }: { readonly id: number; readonly state: 'done' | 'canceled'; readonly at: number },
): Promise<void> {
  const { audit_id, done, failed, total } = await transaction
    .updateTable('bulk_actions')
    .set({ state, finished_at: at, trouble: null })
    .where('id', '=', id)
    .returning(['audit_id', 'done', 'failed', 'total'])
    .executeTakeFirstOrThrow();
  const detail = `${done + failed} of ${total} tried, ${failed} failed${state === 'canceled' ? '; canceled' : ''}`;
  if (audit_id !== null)
    await transaction.updateTable('audit').set({ outcome: 'done', detail }).where('id', '=', audit_id).execute();
  if (state === 'canceled')
    await transaction.deleteFrom('bulk_items').where('bulk_id', '=', id).where('error', 'is', null).execute();
}
