import type { Kysely } from 'kysely';
import type { Database } from '../store/schema.ts';
import { findCustomerName } from '../subjects/tables/subject-search.ts';

/** By an incident. */
const NAMED = 5;

export interface CustomerRow {
  readonly tenant: string;
  readonly id: string | null;
  readonly count: number;
  readonly atRisk?: number;
}

/** By warehouse, with the customers of the most. */
export async function sumUp(reads: Kysely<Database>, rows: readonly CustomerRow[], isMore: boolean) {
  const groups = Map.groupBy(rows, ({ tenant }) => tenant);
  const held = await Array.fromAsync(groups, async ([tenant, of]) => {
    const most = of.toSorted((a, b) => b.count - a.count).slice(0, NAMED);
    const customers = await Array.fromAsync(most, async ({ id, count }) => ({
      ...{ id, count, name: id === null ? null : await findCustomerName(reads, tenant, id) },
    }));
    const count = of.reduce((sum, it) => sum + it.count, 0);
    const atRisk = of.reduce((sum, it) => sum + (it.atRisk ?? 0), 0);
    return [tenant, { count, isMore, atRisk, customers }] as const;
  });
  return new Map(held);
}
