import { openTemporal } from '../temporal/connection.ts';
import { keepSweepSchedules } from '../temporal/sweep-schedules.ts';
import { temporalTarget } from './codec.ts';
import type { ServiceOptions } from './service.ts';
import { startPersistently } from './start-persistently.ts';
import { sweepInputs } from './sweep-inputs.ts';

/** Sees to the schedules of the sweeps as soon as Temporal can be reached; nothing else waits for that. */
export function keepSweeps(options: ServiceOptions & { readonly taskQueue: string }) {
  const { config, places, taskQueue, logger } = options;
  const tenants = places.operators.flatMap(({ tenant }) => tenant ?? []);
  if (tenants.length === 0 && config.RECONCILE_EVERY_MS > 0) {
    logger.info({}, 'no sweeps are scheduled: WAREHOUSE_TENANT would have to say whose warehouse it is');
  }
  const keep = async () => {
    const temporal = openTemporal(temporalTarget(places.temporal.address, config));
    try {
      await keepSweepSchedules({
        ...{ client: temporal.client, taskQueue, everyMs: config.RECONCILE_EVERY_MS },
        inputs: sweepInputs(config, taskQueue, tenants),
      });
    } finally {
      await temporal.close();
    }
    return { close: async () => undefined };
  };
  return startPersistently(keep, (err) => logger.warn({ err }, 'the schedules of sweeps wait for Temporal'));
}
