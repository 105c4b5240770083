import type { Caller } from '../admin/access.ts';
import { holdsCustomers, holdsTenant } from '../domain/limit.ts';
import type { DestinationFilter, DestinationRef } from '../domain/routing.ts';
import { Problem } from '../http/problem.ts';
import type { BulkQuery } from './filters.ts';

/** Returns the changes that a destination wants; undefined if there is none. */
type FilterOf = (ref: DestinationRef) => Promise<DestinationFilter | undefined>;

/**
 * Refuses a limited token everything but sending again, to a destination of its own, what is its own.
 * @throws Problem 403
 */
export async function keepWithin({ limits }: Caller, query: BulkQuery, filterOf: FilterOf): Promise<void> {
  if (limits === undefined) return;
  if (query.action !== 'repeat') throw new Problem(403, 'The token is limited: it only sends again, with "repeat".');
  const { tenant, destination: name, customer } = query.filter;
  const wanted = await filterOf({ tenant, name });
  if (!wanted || !holdsCustomers(limits, tenant, wanted.customers))
    throw new Problem(403, `The token is limited, and "${name}" is no destination of its own.`);
  if (holdsTenant(limits, tenant) || (customer !== undefined && holdsCustomers(limits, tenant, [customer]))) return;
  throw new Problem(403, 'The token is limited to customers: name one of them as "customer".');
}
