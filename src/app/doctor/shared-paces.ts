import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { UNNAMED_TENANT } from '../../domain/catalogue/subject.ts';
import { createPace, type Pace } from '../../warehouse/client/pace.ts';
import { openRateSlots } from '../../warehouse/tables/rate.ts';

/** Opens the rate limits that a running Dockline keeps in a PostgreSQL database. While that cannot be reached, it is half of each. */
export function openSharedPaces(url: string) {
  const { slotsOf, close } = openRateSlots(url);
  const paces = new Map<TenantSettings, Pace>();
  return {
    paceOf(tenant: TenantSettings): Pace {
      const { id = UNNAMED_TENANT, callsPerSecond: perSecond } = tenant;
      const pace = paces.get(tenant) ?? createPace({ perSecond, shared: slotsOf(id) });
      paces.set(tenant, pace);
      return pace;
    },
    close,
  };
}
