import { type Kysely, sql } from 'kysely';
import { categoryOf, type QuarantineCategory, type QuarantineCode, quarantineCodes } from '../../domain/quarantine.ts';
import { type BoundedCount, COUNTED, sumCounts, toBounded } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { someOfEach } from './quarantined.ts';
import { isSettled, isWaiting } from './waiting.ts';

/** Of the oldest only, since it is stored beside the body. */
const since = sql`(select received_at from ${sql.table('inbox')} where id = first) as since`;

export async function countWaiting(db: Kysely<Database>): Promise<BoundedCount> {
  const { rows } = await sql<Omit<BoundedCount, 'isMore'>>`select count, ${since} from (
    select count(*) as count, min(id) as first from (
      select id from ${sql.table('inbox')} where ${isWaiting} order by id limit ${COUNTED + 1}) as counted) as bounded`.execute(
    db,
  );
  return toBounded(rows[0]);
}

/** Up to a limit for each reason. */
export async function countQuarantined(db: Kysely<Database>): Promise<ReadonlyMap<QuarantineCategory, BoundedCount>> {
  const { rows } = await sql<{ code: QuarantineCode; count: number; since: number }>`
    select code, count, ${since} from (
      select code, count(*) as count, min(id) as first from ${someOfEach(quarantineCodes, COUNTED + 1)} group by code
    ) as bounded`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ code }) => categoryOf(code))].map(([category, each]) => [
      category,
      sumCounts(each.map(toBounded)),
    ]),
  );
}

/** Newest waiting rows that are searched. */
const NEWEST = 200;

/** Searches the newest that wait, and steps from tenant to tenant in the index of the others. */
export async function newestDeliveries(db: Kysely<Database>) {
  const inbox = sql.table('inbox');
  const pulses = sql<{ tenant: string; lastReceivedAt: number }>`
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
