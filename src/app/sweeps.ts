import type { ReconcileInput } from '../../workflows/sweep-state.ts';
import { createLoop, startPersistently } from '../base/loop.ts';
import type { Config } from '../config/config.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import { warehouseTaskQueue } from '../temporal/pollers.ts';
import { keepSweepSchedules } from '../temporal/sweep-schedules.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';

const CHECK_EVERY_MS = 60_000;

/** Keeps each history short. */
const PAGES_PER_RUN = 500;

export function keepSweeps({
  config,
  dependencies,
  store,
  taskQueue,
  logger,
  inbox: { client, ownership },
}: PartOptions & { readonly inbox: OpenInbox }) {
  const inputs = sweepInputs(config, taskQueue, dependencies.tenants);
  const { installation } = store;

  /** Returns the time to the next check: a Temporal that lost its data has lost the schedules. */
  async function keepSchedules(onlyMissing: boolean): Promise<number> {
    await ownership.assertOwn();
    const everyMs = config.RECONCILE_EVERY_MS;
    await keepSweepSchedules({ client, taskQueue, installation, everyMs, inputs, onlyMissing });
    return CHECK_EVERY_MS;
  }

  async function keep() {
    const checks = createLoop(() => keepSchedules(true).catch(() => CHECK_EVERY_MS));
    checks.start(await keepSchedules(false));
    return checks;
  }

  return startPersistently(keep, (err) => logger.warn({ err }, 'the sweep schedules wait for Temporal'));
}

export function sweepInputs(
  config: Config,
  taskQueue: string,
  tenants: readonly Pick<TenantSettings, 'id'>[],
): ReconcileInput[] {
  return tenants.map(({ id: tenant }) => ({
    tenant,
    kinds: config.RECONCILE_KINDS,
    lookBackMs: config.RECONCILE_LOOKBACK_MS,
    overlapMs: config.RECONCILE_OVERLAP_MS,
    quietMs: config.RECONCILE_GRACE_MS,
    pageSize: config.RECONCILE_PAGE_SIZE,
    pagesPerRun: PAGES_PER_RUN,
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, tenant),
  }));
}
