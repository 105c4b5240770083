import { createActivities } from '../../activities/activities.ts';
import { computeDeadline } from '../../activities/deadline.ts';
import { readStanding } from '../../activities/read-standing.ts';
import { startPersistently } from '../base/start-persistently.ts';
import { findCacheFolder } from '../config/cache-folder.ts';
import { createAnnouncement } from '../destinations/announcements/cloud-event.ts';
import { lateRecord } from '../destinations/announcements/late-record.ts';
import { createDestinationWatch } from '../destinations/sending/destination-watch.ts';
import { withdrawAtStart } from '../destinations/withdrawals.ts';
import { allLimits } from '../domain/lifecycle/stage-limits.ts';
import { readPayload } from '../ingress/message/parts.ts';
import { keepDeadlines } from '../subjects/deadline-pass.ts';
import { createDeadlines } from '../subjects/deadlines.ts';
import { createNexusService } from '../temporal/nexus.ts';
import { registerSearchAttributes } from '../temporal/search-attributes.ts';
import { announceTaskQueue, warehouseQueues } from '../temporal/task-queues.ts';
import { startWorkers, type Workers } from '../temporal/workers.ts';
import { bundleWorkflows } from '../temporal/workflow-bundle.ts';
import { createBreaker } from '../warehouse/breaker.ts';
import { createFlights } from '../warehouse/flights.ts';
import { createInline } from '../warehouse/inline.ts';
import { readDeadlineFacts } from '../warehouse/resources/deadline-facts.ts';
import type { OpenInbox } from './inbox.ts';
import { createRefreshes } from './refreshes.ts';
import type { PartOptions } from './service-options.ts';
import { temporalTarget } from './temporal-target.ts';
import { openTenantClients } from './tenant-clients.ts';

/** Time between two checks that the search attributes exist, in milliseconds. */
const REGISTER_EVERY_MS = 20_000;

/** Age of a report up to which a GET may lag behind it, in milliseconds. A demonstration should not have to wait for it. */
const READ_LAG_MS = { real: 15_000, simulated: 3000 };

/** Starts the Temporal workers with their activities, as soon as Temporal answers. */
export function startWorker(options: PartOptions & { readonly inbox: OpenInbox }) {
  const { config, dependencies, store, taskQueue, logger, onFailure } = options;
  const deadlines = createDeadlines(dependencies.tenants, readDeadlineFacts);
  const pass = keepDeadlines({ ...store, deadlines, computeDeadline, logger });
  const withdrawal = withdrawAtStart({ ...store, tenants: dependencies.tenants, logger });
  const clients = openTenantClients(dependencies.tenants, config, options);
  const retry = { slowMs: config.RETRY_SLOW_MS, retryAfterCapMs: config.RETRY_AFTER_CAP_MS };
  const background = new Set<Promise<void>>();
  let isStopping = false;
  const activities = createActivities({
    inBackground(work) {
      const end = () => void background.delete(ended);
      const ended = work.then(end, end);
      background.add(ended);
    },
    ...clients,
    compose: createAnnouncement,
    observer: options.observers?.activities,
    tracing: options.tracing,
    inline: createInline({ isInline: options.isInline, isFree: clients.isFree, isStopping: () => isStopping }),
    breaker: createBreaker(retry),
    flights: createFlights(),
    resources: store.resources,
    subjects: store.subjects,
    deadlines,
    stageLimits: allLimits(config.ORDER_STAGE_LIMITS),
    outbox: store.outbox,
    activityFailures: store.activityFailures,
    inbox: store.inbox,
    known: store.known,
    feed: options.inbox.feed,
    ...createRefreshes(options),
    readPayload,
    lateRecord,
    onAsked: ({ action, by, tenant, startedAt: at }) =>
      store.audit.note({
        at,
        action,
        target: { type: 'warehouse', id: tenant },
        actor: { token: 'command', operator: by },
      }),
    onLimitation: ({ message, ...of }) => logger.warn(of, message),
    announceForMs: config.ANNOUNCE_FOR_MS,
    announceTimeoutMs: config.ANNOUNCE_TIMEOUT_MS,
    destinationWatch: createDestinationWatch({
      destinations: store.destinations,
      stopAfterMs: config.ANNOUNCE_STOP_AFTER_MS,
      logger,
    }),
    readLagMs: config.WAREHOUSE_READ_LAG_MS ?? READ_LAG_MS[dependencies.simulator ? 'simulated' : 'real'],
    directoryMaxAgeMs: config.WAREHOUSE_DIRECTORY_MAX_AGE_MS,
    outageMs: config.WAREHOUSE_OUTAGE_MS,
    partWaitMs: config.WAREHOUSE_PART_WAIT_MS,
    retry,
  });
  const target = temporalTarget(config, dependencies.temporal.address);

  const register = () => registerSearchAttributes(options.inbox.connection, target.namespace);

  const onReconnected = (err?: unknown) => {
    if (err === undefined) logger.info({}, 'the workers use the new credentials of Temporal');
    else logger.error({ err }, 'the workers cannot use the new credentials of Temporal yet');
  };

  let running: Workers | undefined;
  async function start() {
    await register();
    running = await startWorkers({
      ...target,
      taskQueue,
      activities,
      onFailure,
      onReconnected,
      buildId: config.TEMPORAL_BUILD_ID,
      cachedWorkflows: config.TEMPORAL_CACHED_WORKFLOWS,
      warehouseQueues: warehouseQueues(taskQueue, dependencies.tenants),
      announceQueue: announceTaskQueue(taskQueue),
      ...(config.TEMPORAL_NEXUS === 'yes' && {
        nexusServices: [createNexusService((subject) => readStanding(store, subject))],
      }),
      workflowBundle: options.workflowBundle ?? (await bundleWorkflows(findCacheFolder())),
    });
    return running;
  }

  const workers = startPersistently(start, (err) => logger.warn({ err }, 'the workers wait for Temporal'));
  // A Temporal server that was replaced or lost its data lacks them.
  const registering = setInterval(() => void register().catch(() => undefined), REGISTER_EVERY_MS);
  return {
    /** Resolves once the workers poll. */
    started: workers.started,
    isReady: () => running?.isPolling() ?? false,
    calls: clients.calls,
    paceOf: clients.paceOf,
    async close() {
      isStopping = true;
      clearInterval(registering);
      await pass.close();
      await withdrawal.close();
      await workers.close();
      // One may begin another: an exchange that is late is awaited by itself.
      while (background.size > 0) await Promise.all(background);
      await clients.close();
    },
  };
}
