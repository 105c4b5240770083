import { createActivities } from '../../activities/activities.ts';
import { createAnnouncement } from '../announce/cloud-event.ts';
import { createDestination } from '../announce/destination.ts';
import type { Store } from '../store/store.ts';
import { openTemporal } from '../temporal/connection.ts';
import { registerSearchAttributes } from '../temporal/search-attributes.ts';
import { startWorkers } from '../temporal/workers.ts';
import { createWarehouse } from '../warehouse/warehouse.ts';
import type { ServiceOptions } from './service.ts';
import { startPersistently } from './start-persistently.ts';

/** What the workers do: activities with everything that they need, polled for as soon as Temporal can be reached. */
export function startWork(options: ServiceOptions & { readonly store: Store; readonly taskQueue: string }) {
  const { config, places, store, taskQueue, logger, onFailure, workflowBundle } = options;
  const warehouse = createWarehouse({
    ...places.warehouse,
    tpl: config.WAREHOUSE_TPL,
    orderDetail: config.WAREHOUSE_ORDER_DETAIL,
    itemDetail: config.WAREHOUSE_ITEM_DETAIL,
    receiptDetail: config.WAREHOUSE_RECEIPT_DETAIL,
    timeoutMs: config.WAREHOUSE_TIMEOUT_MS,
  });
  const destination = createDestination({
    ...places.destination,
    timeoutMs: config.ANNOUNCE_TIMEOUT_MS,
    allowedAddresses: config.ANNOUNCE_ALLOWED_ADDRESSES,
  });
  const activities = createActivities({
    ...{ warehouse, destination, compose: createAnnouncement },
    ...{ resources: store.resources, subjects: store.subjects, outbox: store.outbox },
    directoryMaxAgeMs: config.WAREHOUSE_DIRECTORY_MAX_AGE_MS,
    retry: { slowMs: config.RETRY_SLOW_MS, retryAfterCapMs: config.RETRY_AFTER_CAP_MS },
  });
  const target = { address: places.temporal.address, namespace: config.TEMPORAL_NAMESPACE };

  async function start() {
    const temporal = openTemporal(target);
    try {
      await registerSearchAttributes(temporal.connection, target.namespace);
    } finally {
      await temporal.close();
    }
    const { retrievalsPerSecond } = places.warehouse;
    return await startWorkers({
      ...target,
      ...{ taskQueue, activities, retrievalsPerSecond, onFailure },
      ...(workflowBundle && { workflowBundle }),
    });
  }

  const workers = startPersistently(start, (err) => logger.warn({ err }, 'the workers wait for Temporal'));
  return {
    /** Resolves once the workers poll. */
    started: workers.started,
    calls: warehouse.calls,
    async close() {
      await workers.close();
      await Promise.all([warehouse.close(), destination.close()]);
    },
  };
}
