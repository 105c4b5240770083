import type { Transaction } from 'kysely';
import type { Database } from '../schema.ts';

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
