import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Clock } from './engines/clock.ts';
import { isGone } from './processes.ts';
import type { Database } from './schema.ts';

export const leaseFor = (clock: Clock, forMs: number) => ({
  leased_at: clock(),
  leased_until: sql<number>`${clock()} + ${forMs}`,
});

/** A lease that begins in the future was taken before the clock was set back, so its end says nothing. */
export const isFree = (clock: Clock): RawBuilder<boolean> =>
  sql`(leased_until is null or leased_until <= ${clock()} or leased_at > ${clock()})`;

/** Ends leases of announcements whose holders are gone. */
export async function breakLeases(db: Transaction<Database>, clock: Clock, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ leased_until: null })
    .where('announcement', 'in', ids)
    .where('leased_until', 'is not', null)
    .where(isGone(clock, sql.ref('leased_by')))
    .execute();
}

/** Ends whatever was held by processes on a database that only this one can use. */
export async function forgetHolders(db: Kysely<Database>): Promise<void> {
  // The first condition is that of an index.
  const unsent = db.updateTable('outbox').where('sent_at', 'is', null).where('leased_until', 'is not', null);
  await unsent.set({ leased_until: null }).execute();
  await db.deleteFrom('processes').execute();
  await db.updateTable('alert_watch').set({ leased_until: null }).execute();
  await db.updateTable('bulk_actions').set({ leased_until: null }).where('state', '=', 'running').execute();
}
