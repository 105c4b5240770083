import { createActivities } from '../../activities/activities.ts';
import type { Payloads } from '../../activities/ports.ts';
import { createAnnouncement } from '../announce/cloud-event.ts';
import type { Store } from '../store/store.ts';
import { openTemporal } from '../temporal/connection.ts';
import { registerSearchAttributes } from '../temporal/search-attributes.ts';
import { warehouseQueues } from '../temporal/task-queues.ts';
import { startWorkers } from '../temporal/workers.ts';
import { createOffhand } from '../warehouse/offhand.ts';
import { readPayload } from '../webhook/payload.ts';
import { temporalTarget } from './codec.ts';
import { openCounterparts } from './counterparts.ts';
import type { OpenInbox } from './inbox.ts';
import type { ServiceOptions } from './service.ts';
import { startPersistently } from './start-persistently.ts';

/** What the workers do: activities with everything that they need, polled for as soon as Temporal can be reached. */
export function startWork(
  options: ServiceOptions & {
    readonly store: Store;
    readonly taskQueue: string;
    readonly inbox: OpenInbox;
    /** No other process does the same work. */
    readonly isAlone: boolean;
  },
) {
  const { config, places, store, taskQueue, logger, onFailure, workflowBundle } = options;
  const counterparts = openCounterparts(places.operators, config);
  const payloads: Payloads = {
    async find(eventId) {
      const body = await store.inbox.bodyOf(eventId);
      return body && readPayload(body);
    },
  };
  const activities = createActivities({
    ...{ ...counterparts, compose: createAnnouncement },
    offhand: createOffhand({ isAlone: options.isAlone, isFree: counterparts.isFree }),
    ...{ resources: store.resources, subjects: store.subjects, outbox: store.outbox, payloads },
    ...{ known: store.known, feed: options.inbox.feed },
    directoryMaxAgeMs: config.WAREHOUSE_DIRECTORY_MAX_AGE_MS,
    retry: { slowMs: config.RETRY_SLOW_MS, retryAfterCapMs: config.RETRY_AFTER_CAP_MS },
  });
  const target = temporalTarget(places.temporal.address, config);

  async function start() {
    const temporal = openTemporal(target);
    try {
      await registerSearchAttributes(temporal.connection, target.namespace);
    } finally {
      await temporal.close();
    }
    return await startWorkers({
      ...target,
      ...{ taskQueue, activities, onFailure, buildId: config.TEMPORAL_BUILD_ID },
      cachedWorkflows: config.TEMPORAL_CACHED_WORKFLOWS,
      warehouseQueues: warehouseQueues(taskQueue, places.operators),
      ...(workflowBundle && { workflowBundle }),
    });
  }

  const workers = startPersistently(start, (err) => logger.warn({ err }, 'the workers wait for Temporal'));
  return {
    /** Resolves once the workers poll. */
    started: workers.started,
    calls: counterparts.calls,
    async close() {
      await workers.close();
      await counterparts.close();
    },
  };
}
