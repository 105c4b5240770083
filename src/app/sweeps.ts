import { openTemporal } from '../temporal/connection.ts';
import { keepSweepSchedules } from '../temporal/sweep-schedules.ts';
import { temporalTarget } from './codec.ts';
import type { ServiceOptions } from './service-options.ts';
import { startPersistently } from './start-persistently.ts';
import { sweepInputs } from './sweep-inputs.ts';

/** How often it is seen to that schedules are there, in milliseconds. */
const KEEP_EVERY_MS = 60_000;

/** Sees to the schedules of the sweeps as soon as Temporal can be reached; nothing else waits for that. */
export function keepSweeps(options: ServiceOptions & { readonly taskQueue: string }) {
  const { config, dependencies, taskQueue, logger } = options;
  const tenants = dependencies.tenants.flatMap(({ id: tenant }) => tenant ?? []);
  if (tenants.length === 0 && config.RECONCILE_EVERY_MS > 0) {
    logger.info({}, 'no sweeps are scheduled: WAREHOUSE_TENANT would have to say whose warehouse it is');
  }
  async function keepSchedules(isFirst: boolean): Promise<void> {
    const temporal = openTemporal(temporalTarget(dependencies.temporal.address, config));
    try {
      await keepSweepSchedules({
        ...{ client: temporal.client, taskQueue, everyMs: config.RECONCILE_EVERY_MS },
        inputs: sweepInputs(config, taskQueue, tenants),
        onlyMissing: !isFirst,
      });
    } finally {
      await temporal.close();
    }
  }

  async function keep() {
    await keepSchedules(true);
    // A server that lost its data lacks them.
    const timer = setInterval(() => void keepSchedules(false).catch(() => undefined), KEEP_EVERY_MS);
    return { close: async () => clearInterval(timer) };
  }

  return startPersistently(keep, (err) => logger.warn({ err }, 'the schedules of sweeps wait for Temporal'));
}
