import type { AuditLog } from '../admin/audit.ts';
import type { Logger } from '../base/logger.ts';
import { startPersistently } from '../base/loop.ts';
import { plural } from '../base/text.ts';
import type { Connections } from '../store/engines/connections.ts';
import type { TenantDestinations } from './settings.ts';
import type { Destinations } from './tables/destinations.ts';
import { findConfiguredUnwanted } from './tables/withdrawals.ts';

interface WithdrawalDeps {
  readonly destinations: Pick<Destinations, 'withdrawUnwanted'>;
  readonly reads: Connections['reads'];
  readonly audit: AuditLog;
  readonly tenants: readonly TenantDestinations[];
  readonly logger: Pick<Logger, 'warn'>;
}

/** Withdraws announcements that destinations, by changed settings, no longer want. The log has the number before, the audit log afterwards. */
export async function withdrawUnwanted({ destinations, reads, audit, tenants, logger }: WithdrawalDeps): Promise<void> {
  for await (const { filter, count, id: identity, tenant, name } of findConfiguredUnwanted(reads, tenants)) {
    logger.warn(
      { tenant, name, count },
      'takes out announcements that wait for a destination whose settings no longer want them',
    );
    const target = { type: 'destination', id: `${tenant} ${name}` } as const;
    const actor = { token: 'configuration', operator: null };
    const id = await audit.begin({ action: 'change', target, actor });
    const withdrawn = await destinations.withdrawUnwanted({ tenant, id: identity }, filter);
    const detail = `took out what waited and is no longer wanted: ${plural(withdrawn, 'announcement')}`;
    await audit.finish(id, { outcome: 'done', detail });
  }
}

/** Once the store answers: until the next start only the administrative API changes what is wanted. */
export const withdrawAtStart = (deps: WithdrawalDeps) =>
  startPersistently(
    async () => {
      await withdrawUnwanted(deps);
      return { close: async () => undefined };
    },
    (err) => deps.logger.warn({ err }, 'cannot check what waits for destinations; retrying'),
  );
