import type { Destination } from '../../activities/ports/announcing.ts';
import type { Warehouse } from '../../activities/ports/retrieval.ts';
import type { Listing } from '../../activities/ports/sweep.ts';
import { createDestination } from '../announcements/destination.ts';
import type { Config } from '../config/config.ts';
import { findTenant, type Tenant } from '../config/tenants/tenant.ts';
import { DocklineError } from '../domain/errors.ts';
import type { Observers } from '../observability/metrics/observers.ts';
import type { ApiObserver, OnAnswer } from '../warehouse/client/api.ts';
import { createWarehouse } from '../warehouse/warehouse.ts';

/** Clients of each tenant's warehouse and destination. */
export interface TenantClients {
  /** @throws DocklineError `ERR_WAREHOUSE_UNAUTHENTICATED` while the tenant is not configured */
  warehouseOf(tenant: string, onAnswer: OnAnswer): Warehouse;
  /** @throws DocklineError as `warehouseOf` does */
  listingOf(tenant: string): Listing;
  /** @throws DocklineError as `warehouseOf` does */
  destinationOf(tenant: string): Destination;
  /** Reports whether the rate limit of a tenant's warehouse allows that many GETs now; false if the tenant is not configured. */
  isFree(tenant: string, calls: number): boolean;
  /** Returns the number of GETs sent to all warehouses. */
  calls(): number;
  close(): Promise<void>;
}

/** Opens the clients of each tenant. */
export function openTenantClients(
  tenants: readonly Tenant[],
  config: Config,
  observers: Pick<Observers, 'warehouse'> | undefined,
): TenantClients {
  const opened = new Map(
    tenants.map((tenant) => [tenant, open(tenant, config, observers?.warehouse(tenant.id ?? UNNAMED))]),
  );
  const known = (id: string) => {
    const tenant = findTenant(tenants, id);
    return tenant && opened.get(tenant);
  };
  const find = (tenant: string) => {
    const found = known(tenant);
    if (found) return found;
    throw new DocklineError('ERR_WAREHOUSE_UNAUTHENTICATED', `no warehouse is configured for tenant ${tenant}`);
  };
  const all = [...opened.values()];
  return {
    warehouseOf: (tenant, onAnswer) => find(tenant).warehouse.observed(onAnswer),
    listingOf: (tenant) => find(tenant).warehouse,
    destinationOf: (tenant) => find(tenant).destination,
    isFree: (tenant, calls) => known(tenant)?.warehouse.isFree(calls) ?? false,
    calls: () => all.reduce((sum, { warehouse }) => sum + warehouse.calls(), 0),
    async close() {
      await Promise.all(all.flatMap(({ warehouse, destination }) => [warehouse.close(), destination.close()]));
    },
  };
}

/** Label of a tenant that is not configured. */
const UNNAMED = 'default';

function open(
  { access, detail, conventions, destination, callsPerSecond }: Tenant,
  config: Config,
  observer: ApiObserver | undefined,
) {
  return {
    warehouse: createWarehouse({
      ...{ ...access, ...detail, ...conventions, callsPerSecond, observer },
      ...{ timeoutMs: config.WAREHOUSE_TIMEOUT_MS, partTimeoutMs: config.WAREHOUSE_PART_TIMEOUT_MS },
    }),
    destination: createDestination({
      ...destination,
      timeoutMs: config.ANNOUNCE_TIMEOUT_MS,
      allowedAddresses: config.ANNOUNCE_ALLOWED_ADDRESSES,
    }),
  };
}
