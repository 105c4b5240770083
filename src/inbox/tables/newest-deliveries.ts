import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/schema.ts';
import { isSettled, isWaiting } from './waiting.ts';

export interface NewestDelivery {
  readonly tenant: string;
  readonly lastReceivedAt: number;
}

/** Newest waiting rows that are searched. */
const NEWEST = 200;

/** Searches the newest that wait, and steps from tenant to tenant in the index of the others. */
export async function newestDeliveries(db: Kysely<Database>): Promise<readonly NewestDelivery[]> {
  const inbox = sql.table('inbox');
  const pulses = sql<NewestDelivery>`
    with recursive tenants (tenant) as (
      select min(tenant) from ${inbox} where ${isSettled}
      union all
      select (select min(inbox.tenant) from ${inbox} where inbox.tenant > tenants.tenant and ${isSettled})
        from tenants where tenants.tenant is not null)
    select tenant, max(received_at) as "lastReceivedAt" from (
      select tenant,
        (select received_at from ${inbox} where inbox.tenant = tenants.tenant and ${isSettled} order by id desc limit 1) as received_at
      from tenants where tenant is not null
      union all
      select tenant, received_at from (
        select tenant, received_at from ${inbox} where ${isWaiting} order by id desc limit ${NEWEST}) as waiting
    ) as newest group by tenant order by tenant`;
  return (await pulses.execute(db)).rows;
}
