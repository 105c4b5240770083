import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Clock } from './engines/clock.ts';
import { isGone } from './processes.ts';
import { changeRows } from './rows.ts';
import type { Database } from './schema.ts';

export const leaseFor = (clock: Clock, forMs: number) => ({
  leased_at: clock(),
  leased_until: sql<number>`${clock()} + ${forMs}`,
});

/** A lease that begins in the future is from before the clock was set back. */
export const isFree = (clock: Clock): RawBuilder<boolean> =>
  sql`(leased_until is null or leased_until <= ${clock()} or leased_at > ${clock()})`;

export async function breakLeases(db: Transaction<Database>, clock: Clock, ids: readonly string[]): Promise<void> {
  await changeRows(db, 'outbox', { announcement: ids })
    .set({ leased_until: null })
    .where('leased_until', 'is not', null)
    .where(isGone(clock, sql.ref('leased_by')))
    .execute();
}

/** On a database that only this process can use. */
export async function forgetHolders(db: Kysely<Database>): Promise<void> {
  // The first condition is that of an index.
  const unsent = changeRows(db, 'outbox', { sent_at: null }).where('leased_until', 'is not', null);
  await unsent.set({ leased_until: null }).execute();
  await db.deleteFrom('processes').execute();
  await db.updateTable('alert_watch').set({ leased_until: null }).execute();
  await changeRows(db, 'bulk_actions', { state: 'running' }).set({ leased_until: null }).execute();
}
