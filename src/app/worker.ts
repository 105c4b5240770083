import { createActivities } from '../../activities/activities.ts';
import { readStanding } from '../../activities/reload.ts';
import { startPersistently } from '../base/start-persistently.ts';
import { findCacheFolder } from '../config/cache-folder.ts';
import { changedSince, createAdvise } from '../destinations/announcements/advice.ts';
import { createAnnouncement } from '../destinations/announcements/cloud-event.ts';
import { lateRecord } from '../destinations/announcements/late-record.ts';
import { createDestinationWatch } from '../destinations/sending/destination-watch.ts';
import { withdrawAtStart } from '../destinations/withdrawals.ts';
import { createPlacesOf } from '../domain/catalogue/properties.ts';
import { allLimits } from '../domain/lifecycle/stage-limits.ts';
import { readPayload } from '../ingress/message/parts.ts';
import { keepDeadlines } from '../subjects/deadline-pass.ts';
import { createDeadlines } from '../subjects/deadlines.ts';
import { createNexusService } from '../temporal/nexus.ts';
import { identityOf } from '../temporal/pollers.ts';
import { announceTaskQueue, warehouseQueues } from '../temporal/task-queues.ts';
import { startWorkers, type Workers } from '../temporal/workers.ts';
import { bundleWorkflows, refuseUnbundled } from '../temporal/workflow-bundle.ts';
import { createBreaker } from '../warehouse/breaker.ts';
import { Flights } from '../warehouse/client/flight.ts';
import type { OpenInbox } from './inbox.ts';
import type { PartOptions } from './service-options.ts';
import { temporalTarget } from './temporal-target.ts';
import { openTenantClients } from './tenant-clients.ts';

/** Between checks that search attributes exist and no other installation polls. */
const CHECK_EVERY_MS = 20_000;

/** Age of a report up to which a GET may lag behind it; a demonstration should not wait as long. */
const READ_LAG_MS = { real: 15_000, simulated: 3000 };

/** Starts as soon as Temporal answers. */
export function startWorker(options: PartOptions & { readonly inbox: OpenInbox }) {
  const { config, dependencies, store, taskQueue, logger, onFailure } = options;
  if (!options.workflowBundle) refuseUnbundled();
  const deadlines = createDeadlines(dependencies.tenants);
  const pass = keepDeadlines({ ...store, deadlines, logger });
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
    mayInline: (tenant, gets) => !isStopping && (gets === 0 || (options.isInline() && clients.isFree(tenant, gets))),
    breaker: createBreaker(retry),
    flights: new Flights(),
    resources: store.resources,
    subjects: store.subjects,
    deadlines,
    stageLimits: allLimits(config.ORDER_STAGE_LIMITS),
    outbox: store.outbox,
    activityFailures: store.activityFailures,
    inbox: store.inbox,
    known: store.known,
    feed: options.inbox.feed,
    readPayload,
    lateRecord,
    advise: createAdvise(createPlacesOf(dependencies.tenants)),
    changedSince,
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
    readLagMs: config.WAREHOUSE_READ_LAG_MS ?? READ_LAG_MS[config.simulated ? 'simulated' : 'real'],
    directoryMaxAgeMs: config.WAREHOUSE_DIRECTORY_MAX_AGE_MS,
    outageMs: config.WAREHOUSE_OUTAGE_MS,
    partWaitMs: config.WAREHOUSE_PART_WAIT_MS,
    retry,
  });
  const target = temporalTarget(config, dependencies.temporal.address);

  const onReconnected = (err?: unknown) => {
    if (err === undefined) logger.info({}, 'the workers use the new credentials of Temporal');
    else logger.error({ err }, 'the workers cannot use the new credentials of Temporal yet');
  };

  let running: Workers | undefined;
  const { ownership, attributes } = options.inbox;
  async function start() {
    await ownership.assertOwn();
    await attributes.register();
    running = await startWorkers({
      ...target,
      taskQueue,
      identity: identityOf(ownership.installation),
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

  const begin = () => startPersistently(start, (err) => logger.warn({ err }, 'the workers wait for Temporal'));
  let workers = begin();

  async function check() {
    // A replaced Temporal server, or one that lost its data, lacks them.
    await attributes.register().catch(() => undefined);
    // Of two that started at once, the younger one stops.
    const other = running?.isPolling() ? await ownership.findOther().catch(() => undefined) : undefined;
    if (isStopping || other === undefined || other > ownership.installation) return;
    await workers.close();
    if (!isStopping) workers = begin();
  }
  let checked = Promise.resolve();
  const checking = setInterval(() => {
    checked = checked.then(check);
  }, CHECK_EVERY_MS);
  return {
    started: workers.started,
    isReady: () => running?.isPolling() ?? false,
    calls: clients.calls,
    paceOf: clients.paceOf,
    async close() {
      isStopping = true;
      clearInterval(checking);
      await checked;
      await pass.close();
      await withdrawal.close();
      await workers.close();
      // One may start another.
      while (background.size > 0) await Promise.all(background);
      await clients.close();
    },
  };
}
