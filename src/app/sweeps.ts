import type { ReconcileInput } from '../../workflows/sweep-state.ts';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import { startPersistently } from '../base/start-persistently.ts';
import type { Config } from '../config/config.ts';
import { keepSweepSchedules } from '../temporal/sweep-schedules.ts';
import { warehouseTaskQueue } from '../temporal/task-queues.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';

/** Time between two checks that the schedules exist, and between two while no tenant is known, in milliseconds. */
const CHECK_EVERY_MS = 60_000;
const LEARN_EVERY_MS = 5_000;

/** Pages per run of a sweep's workflow; a limit keeps each history short. */
const PAGES_PER_RUN = 500;

/**
 * Keeps a schedule of sweeps for each tenant, as soon as Temporal answers. A tenant that is not configured is learned from the
 * subjects that its webhooks reported.
 */
export function keepSweeps({
  config,
  dependencies,
  store,
  taskQueue,
  logger,
  inbox: { client },
}: PartOptions & { readonly inbox: OpenInbox }) {
  const named = dependencies.tenants.flatMap(({ id }) => id ?? []);
  const isNamed = named.length > 0;
  const everyMs = config.RECONCILE_EVERY_MS;
  let reported: string | undefined;

  async function findTenants(): Promise<readonly string[]> {
    if (isNamed) return named;
    const seen = await store.tenants();
    if (everyMs > 0 && reported !== seen.join()) reportTenants(logger, seen);
    reported = seen.join();
    return seen.length === 1 ? seen : [];
  }

  /** Returns the time to the next check: a Temporal server that lost its data has lost the schedules as well. */
  async function keepSchedules(onlyMissing: boolean): Promise<number> {
    const tenants = await findTenants();
    const inputs = sweepInputs(config, taskQueue, tenants, isNamed);
    await keepSweepSchedules({ client, taskQueue, everyMs, inputs, onlyMissing });
    return tenants.length > 0 ? CHECK_EVERY_MS : LEARN_EVERY_MS;
  }

  async function keep() {
    const checks = createLoop(() => keepSchedules(true).catch(() => CHECK_EVERY_MS));
    checks.start(await keepSchedules(false));
    return checks;
  }

  return startPersistently(keep, (err) => logger.warn({ err }, 'the sweep schedules wait for Temporal'));
}

/** Reports which tenant is reconciled if none is configured. Webhooks of several leave open whose credential is configured. */
function reportTenants(logger: Logger, seen: readonly string[]): void {
  const [tenant, other] = seen;
  if (tenant === undefined) {
    logger.warn({}, 'reconciliation is off until the first webhook names the tenant; WAREHOUSE_TENANT switches it on');
  } else if (other === undefined) {
    logger.info({ tenant }, 'learned the tenant from its webhooks: reconciliation is on');
  } else {
    logger.warn({ tenants: seen }, 'reconciliation is off, since webhooks name several tenants: set WAREHOUSE_TENANT');
  }
}

/** Returns the input of the sweep of each tenant. Those that are not named in the configuration share a task queue. */
export function sweepInputs(
  config: Config,
  taskQueue: string,
  tenants: readonly string[],
  isNamed: boolean,
): ReconcileInput[] {
  return tenants.map((tenant) => ({
    tenant,
    kinds: config.RECONCILE_KINDS,
    lookBackMs: config.RECONCILE_LOOKBACK_MS,
    overlapMs: config.RECONCILE_OVERLAP_MS,
    quietMs: config.RECONCILE_GRACE_MS,
    pageSize: config.RECONCILE_PAGE_SIZE,
    pagesPerRun: PAGES_PER_RUN,
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, isNamed ? tenant : undefined),
  }));
}
