import type { ReconcileInput } from '../../workflows/sweep-state.ts';
import { createLoop, startPersistently } from '../base/loop.ts';
import { DAY_MS } from '../base/moment.ts';
import type { Config } from '../config/config.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import { warehouseTaskQueue } from '../temporal/pollers.ts';
import { keepSweepSchedules } from '../temporal/sweep-schedules.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';

/** Also restores the schedules of a Temporal that lost its data. */
const KEEP_EVERY_MS = 600_000;

/** Of the first sweep; later ones begin where the last successful one began. */
const LOOK_BACK_MS = 7 * DAY_MS;

/** The warehouse may need as long until it lists what an event has reported. */
const QUIET_MS = 600_000;

/** Reading 1,000 rows takes a quarter of a second, in which no webhook is answered. */
const PAGE_SIZE = 200;

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
  const everyMs = config.RECONCILE_EVERY_MS;

  async function keepSchedules(): Promise<number> {
    await ownership.assertOwn();
    await keepSweepSchedules({ client, taskQueue, installation, everyMs, inputs });
    return KEEP_EVERY_MS;
  }

  async function keep() {
    const rounds = createLoop(() => keepSchedules().catch(() => KEEP_EVERY_MS));
    rounds.start(await keepSchedules());
    return rounds;
  }

  return startPersistently(keep, (err) => logger.warn({ err }, 'the sweep schedules wait for Temporal'));
}

export const sweepInputs = (
  config: Config,
  taskQueue: string,
  tenants: readonly Pick<TenantSettings, 'id'>[],
): ReconcileInput[] =>
  tenants.map(({ id: tenant }) => ({
    tenant,
    kinds: config.RECONCILE_KINDS,
    lookBackMs: LOOK_BACK_MS,
    overlapMs: DAY_MS,
    quietMs: QUIET_MS,
    pageSize: PAGE_SIZE,
    pagesPerRun: PAGES_PER_RUN,
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, tenant),
  }));
