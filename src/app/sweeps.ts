import type { ReconcileInput } from '../../workflows/sweep-state.ts';
import type { Config } from '../config/config.ts';
import { keepSweepSchedules } from '../temporal/sweep-schedules.ts';
import { warehouseTaskQueue } from '../temporal/task-queues.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';
import { startPersistently } from './start-persistently.ts';

/** Time between two checks that the schedules exist, in milliseconds. */
const CHECK_EVERY_MS = 60_000;

/** Pages per run of a sweep's workflow; a limit keeps each history short. */
const PAGES_PER_RUN = 500;

/** Keeps a schedule of sweeps for each tenant, as soon as Temporal answers. */
export function keepSweeps({
  config,
  dependencies,
  taskQueue,
  logger,
  inbox: { client },
}: PartOptions & { readonly inbox: OpenInbox }) {
  const tenants = dependencies.tenants.flatMap(({ id }) => id ?? []);
  if (tenants.length === 0 && config.RECONCILE_EVERY_MS > 0) {
    logger.info({}, 'no sweeps are scheduled: set WAREHOUSE_TENANT to the tplId of the warehouse');
  }

  async function keepSchedules(onlyMissing: boolean): Promise<void> {
    const inputs = sweepInputs(config, taskQueue, tenants);
    await keepSweepSchedules({ client, taskQueue, everyMs: config.RECONCILE_EVERY_MS, inputs, onlyMissing });
  }

  async function keep() {
    await keepSchedules(false);
    // A Temporal server that lost its data has lost the schedules as well.
    const timer = setInterval(() => void keepSchedules(true).catch(() => undefined), CHECK_EVERY_MS);
    return { close: async () => clearInterval(timer) };
  }

  return startPersistently(keep, (err) => logger.warn({ err }, 'the sweep schedules wait for Temporal'));
}

/** Returns the input of the sweep of each tenant. */
export function sweepInputs(config: Config, taskQueue: string, tenants: readonly string[]): ReconcileInput[] {
  return tenants.map((tenant) => ({
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
