import type { TenantSettings } from '../config/tenants/tenant.ts';
import type { Logger } from '../domain/logger.ts';
import { createLoop } from '../domain/loop.ts';
import { plural } from '../domain/text.ts';
import type { Store } from '../store/store.ts';
import { findOnlyTenant } from '../store/tables/subject-search.ts';

/** Time after which a failed attempt is made again, and the time between two looks, in milliseconds. */
const AGAIN_MS = 10_000;
const EVERY_MS = 3_600_000;

interface WithdrawalDeps {
  readonly store: Pick<Store, 'destinations' | 'reads' | 'audit'>;
  readonly tenants: readonly TenantSettings[];
  readonly logger: Pick<Logger, 'warn'>;
}

/** Takes out what waits for configured destinations that they no longer want, since their settings have changed; the audit log says so. */
export async function withdrawUnwanted({ store, tenants, logger }: WithdrawalDeps): Promise<void> {
  const only = await findOnlyTenant(store.reads);
  for (const { id: tenant = only, destinations } of tenants)
    for (const { name, ...filter } of destinations) {
      const withdrawn = await store.destinations.withdrawUnwanted({ tenant, name }, filter);
      if (withdrawn === 0) continue;
      logger.warn({ tenant, name, withdrawn }, 'took out what waited for a destination and it no longer wants');
      const target = { type: 'destination', id: `${tenant} ${name}` } as const;
      const id = await store.audit.begin({
        action: 'change',
        target,
        actor: { token: 'configuration', operator: null },
      });
      const detail = `took out what waited and is no longer wanted: ${plural(withdrawn, 'announcement')}`;
      await store.audit.finish(id, { outcome: 'done', detail });
    }
}

/** Keeps to what configured destinations want, from the start on. */
export function keepWanted(deps: WithdrawalDeps) {
  const loop = createLoop(() =>
    withdrawUnwanted(deps).then(
      () => EVERY_MS,
      (err: unknown) => {
        deps.logger.warn({ err }, 'cannot check what waits for destinations; retrying later');
        return AGAIN_MS;
      },
    ),
  );
  loop.start();
  return loop;
}
