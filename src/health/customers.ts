import { type Kysely, sql } from 'kysely';
import type { CustomerCount } from '../domain/health/incident.ts';
import type { Database } from '../store/schema.ts';

/** Named by an incident; their names take one search. */
const NAMED = 5;
const LOOKED_UP = 60;

interface HeldUp {
  readonly count: number;
  readonly isMore: boolean;
  readonly customers: readonly CustomerCount[];
  readonly atRisk: number;
}

export interface CustomerRow {
  readonly tenant: string;
  readonly id: string | null;
  readonly count: number;
  readonly atRisk?: number;
}

/** By warehouse, with the customers of the most. */
export async function sumUp(
  reads: Kysely<Database>,
  rows: readonly CustomerRow[],
  isMore: boolean,
): Promise<ReadonlyMap<string, HeldUp>> {
  const groups = [...Map.groupBy(rows, ({ tenant }) => tenant)].map(([tenant, of]) => ({
    tenant,
    isMore,
    count: of.reduce((sum, it) => sum + it.count, 0),
    atRisk: of.reduce((sum, it) => sum + (it.atRisk ?? 0), 0),
    most: of.toSorted((a, b) => b.count - a.count).slice(0, NAMED),
  }));
  const nameOf = await readNames(
    reads,
    groups.flatMap(({ most }) => most),
  );
  return new Map(
    groups.map(({ tenant, most, ...held }) => [
      tenant,
      { ...held, customers: most.map(({ id, count }) => ({ id, count, name: nameOf(tenant, id) })) },
    ]),
  );
}

async function readNames(reads: Kysely<Database>, rows: readonly Pick<CustomerRow, 'tenant' | 'id'>[]) {
  const asked = rows.filter(({ id }) => id !== null).slice(0, LOOKED_UP);
  const names = new Map<string, string>();
  const keyOf = (tenant: string, id: string | null) => `${tenant}\n${id}`;
  const selects = asked.map(
    ({ tenant, id }, place) => sql`select ${sql.lit(place)} as place, facts from (
      select facts from ${sql.table('subjects')} where customer_id = ${id} and tenant = ${tenant} and facts is not null
      limit 3) as named${sql.raw(String(place))}`,
  );
  const { rows: found } =
    asked.length === 0
      ? { rows: [] }
      : await sql<{ place: number; facts: string }>`${sql.join(selects, sql` union all `)}`.execute(reads);
  for (const { place, facts } of found) {
    const { customerName: name } = JSON.parse(facts) as { readonly customerName?: string };
    const of = asked[place];
    if (of && name !== undefined) names.set(keyOf(of.tenant, of.id), name);
  }
  return (tenant: string, id: string | null): string | null => names.get(keyOf(tenant, id)) ?? null;
}
