import type { Logger } from '../base/logger.ts';
import { plural } from '../base/text.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import { findConfiguredUnwanted } from '../destinations/tables/withdrawals.ts';
import { startPersistently } from './start-persistently.ts';
import type { Store } from './store.ts';

interface WithdrawalDeps {
  readonly store: Pick<Store, 'destinations' | 'reads' | 'audit'>;
  readonly tenants: readonly TenantSettings[];
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Takes out what waits for configured destinations and they no longer want, since their settings have changed. The log says how much before
 * that is done, and the audit log afterwards.
 */
export async function withdrawUnwanted({ store, tenants, logger }: WithdrawalDeps): Promise<void> {
  for await (const { filter, count, ...ref } of findConfiguredUnwanted(store.reads, tenants)) {
    logger.warn(
      { ...ref, count },
      'takes out announcements that wait for a destination whose settings no longer want them',
    );
    const target = { type: 'destination', id: `${ref.tenant} ${ref.name}` } as const;
    const actor = { token: 'configuration', operator: null };
    const id = await store.audit.begin({ action: 'change', target, actor });
    const withdrawn = await store.destinations.withdrawUnwanted(ref, filter);
    const detail = `took out what waited and is no longer wanted: ${plural(withdrawn, 'announcement')}`;
    await store.audit.finish(id, { outcome: 'done', detail });
  }
}

/** Takes it out once, as soon as the store answers: until the next start only the administrative API changes what is wanted. */
export const withdrawAtStart = (deps: WithdrawalDeps) =>
  startPersistently(
    async () => {
      await withdrawUnwanted(deps);
      return { close: async () => undefined };
    },
    (err) => deps.logger.warn({ err }, 'cannot check what waits for destinations; retrying'),
  );
