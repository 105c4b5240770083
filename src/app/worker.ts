import { createActivities } from '../../activities/activities.ts';
import { createAnnouncement } from '../announcements/cloud-event.ts';
import { readPayload } from '../ingress/message/payload.ts';
import type { Store } from '../store/store.ts';
import { openTemporal } from '../temporal/connection.ts';
import { registerSearchAttributes } from '../temporal/search-attributes.ts';
import { announceQueues, warehouseQueues } from '../temporal/task-queues.ts';
import { startWorkers } from '../temporal/workers.ts';
import { createInline } from '../warehouse/inline.ts';
import { temporalTarget } from './codec.ts';
import type { OpenInbox } from './inbox.ts';
import type { ServiceOptions } from './service-options.ts';
import { startPersistently } from './start-persistently.ts';
import { openTenantClients } from './tenant-clients.ts';

/** How often the search attributes are looked for on the server, in milliseconds. */
const REGISTER_EVERY_MS = 20_000;

/** What the workers do: activities with everything that they need, polled for as soon as Temporal can be reached. */
export function startWork(
  options: ServiceOptions & {
    readonly store: Store;
    readonly taskQueue: string;
    readonly inbox: OpenInbox;
    /** Whether activities are tried within the workflow's own task. */
    readonly isInline: () => boolean;
  },
) {
  const { config, dependencies, store, taskQueue, logger, onFailure, workflowBundle } = options;
  const clients = openTenantClients(dependencies.tenants, config);
  const activities = createActivities({
    ...{ ...clients, compose: createAnnouncement },
    inline: createInline({ isInline: options.isInline, isFree: clients.isFree }),
    ...{ resources: store.resources, subjects: store.subjects, outbox: store.outbox, troubles: store.troubles },
    ...{ inbox: store.inbox, readPayload },
    ...{ known: store.known, feed: options.inbox.feed },
    announceForMs: config.ANNOUNCE_FOR_MS,
    directoryMaxAgeMs: config.WAREHOUSE_DIRECTORY_MAX_AGE_MS,
    retry: { slowMs: config.RETRY_SLOW_MS, retryAfterCapMs: config.RETRY_AFTER_CAP_MS },
  });
  const target = temporalTarget(dependencies.temporal.address, config);

  async function register(): Promise<void> {
    const temporal = openTemporal(target);
    try {
      await registerSearchAttributes(temporal.connection, target.namespace);
    } finally {
      await temporal.close();
    }
  }

  async function start() {
    await register();
    return await startWorkers({
      ...target,
      ...{ taskQueue, activities, onFailure, buildId: config.TEMPORAL_BUILD_ID },
      cachedWorkflows: config.TEMPORAL_CACHED_WORKFLOWS,
      warehouseQueues: warehouseQueues(taskQueue, dependencies.tenants),
      announceQueues: announceQueues(taskQueue, dependencies.tenants),
      ...(workflowBundle && { workflowBundle }),
    });
  }

  const workers = startPersistently(start, (err) => logger.warn({ err }, 'the workers wait for Temporal'));
  // A server that lost its data, or another one at the same address, lacks them; what is wrong otherwise shows by itself.
  const registering = setInterval(() => void register().catch(() => undefined), REGISTER_EVERY_MS);
  return {
    /** Resolves once the workers poll. */
    started: workers.started,
    calls: clients.calls,
    async close() {
      clearInterval(registering);
      await workers.close();
      await clients.close();
    },
  };
}
