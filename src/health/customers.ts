import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { CustomerCount } from '../domain/health/incident.ts';
import { COUNTED } from '../store/bounded-count.ts';
import type { Database } from '../store/schema.ts';

/** Customers that an incident names. */
const NAMED = 5;

/** Subjects of a warehouse, by their customers. */
export interface HeldUp {
  readonly count: number;
  readonly isMore: boolean;
  readonly customers: readonly CustomerCount[];
  readonly atRisk: number;
}

/** Counts subjects of a tenant up to a limit, in the order of a column whose index has what is read of them. */
export async function countHeldUp(
  reads: Kysely<Database>,
  {
    tenant,
    condition,
    column,
    now,
  }: {
    readonly tenant: string;
    readonly condition: RawBuilder<unknown>;
    readonly column: 'retrieving_at' | 'due_at' | 'stage_since';
    readonly now: number;
  },
): Promise<HeldUp> {
  const { rows } = await sql<{ id: string | null; count: number; atRisk: number }>`
    select customer_id as id, count(*) as count,
      coalesce(sum(case when at_risk_at <= ${now} and due_at > ${now} then 1 else 0 end), 0) as "atRisk" from (
      select customer_id, at_risk_at, due_at from ${sql.table('subjects')}
      where tenant = ${tenant} and ${condition} order by ${sql.ref(column)} limit ${COUNTED + 1}) as held
    group by customer_id order by count(*) desc, customer_id`.execute(reads);
  const all = rows.map(({ id, count, atRisk }) => ({ id, count: Number(count), atRisk: Number(atRisk) }));
  const count = all.reduce((sum, it) => sum + it.count, 0);
  return {
    count: Math.min(count, COUNTED),
    isMore: count > COUNTED,
    customers: await nameAll(reads, tenant, all.slice(0, NAMED)),
    atRisk: all.reduce((sum, it) => sum + it.atRisk, 0),
  };
}

/** Adds the names of customers, as the newest record of a subject of theirs has them. */
export const nameAll = (
  reads: Kysely<Database>,
  tenant: string,
  counts: readonly { readonly id: string | null; readonly count: number }[],
): Promise<readonly CustomerCount[]> =>
  Array.fromAsync(counts, async ({ id, count }) => ({ id, count, name: id && (await nameOf(reads, tenant, id)) }));

async function nameOf(reads: Kysely<Database>, tenant: string, customer: string): Promise<string | null> {
  const rows = await reads
    .selectFrom('subjects')
    .select('facts')
    .where('customer_id', '=', customer)
    .where('tenant', '=', tenant)
    .where('facts', 'is not', null)
    .limit(3)
    .execute();
  const names = rows.map(({ facts }) => (JSON.parse(facts ?? '{}') as { readonly customerName?: string }).customerName);
  return names.find((name) => name !== undefined) ?? null;
}
