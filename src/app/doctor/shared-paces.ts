import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { createPace, type Pace } from '../../warehouse/client/pace.ts';
import { openRateSlots } from '../../warehouse/tables/rate-slots.ts';

/** In PostgreSQL, shared with a running Dockline. While it cannot be reached, each limit is half. */
export function openSharedPaces(url: string) {
  const { slotsOf, close } = openRateSlots(url);
  const paces = new Map<TenantSettings, Pace>();
  return {
    paceOf(tenant: TenantSettings): Pace {
      const { id, callsPerSecond: perSecond } = tenant;
      const pace = paces.get(tenant) ?? createPace({ perSecond, shared: slotsOf(id) });
      paces.set(tenant, pace);
      return pace;
    },
    close,
  };
}
