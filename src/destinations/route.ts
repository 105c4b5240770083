import type { StoredDestination } from '../domain/decision.ts';
import { type DestinationFilter, type Routable, wants } from '../domain/routing.ts';
import { findTenant } from '../domain/tenant.ts';
import { DEFAULT_DESTINATION, type TenantDestinations } from './settings.ts';

/** Name of a destination with its filter. */
type Named = DestinationFilter & { readonly name: string };

/**
 * Creates the choice of destinations that a change goes to, configured and stored ones, by their identities.
 * While the tenant is not configured, it waits for the default one.
 */
export function createRoute(tenants: readonly TenantDestinations[]) {
  return (tenant: string, stored: readonly StoredDestination[], change: Routable): readonly string[] => {
    const configured: readonly Named[] = findTenant(tenants, tenant)?.destinations ?? [{ name: DEFAULT_DESTINATION }];
    const added = stored.flatMap(({ name, filter }) =>
      filter && !configured.some((it) => it.name === name) ? [{ name, ...filter }] : [],
    );
    const identityOf = (name: string) => stored.find((it) => it.name === name)?.id ?? name;
    return [...configured, ...added].flatMap((it) => (wants(it, change) ? [identityOf(it.name)] : []));
  };
}
