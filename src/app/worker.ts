import { createActivities } from '../../activities/activities.ts';
import { startPersistently } from '../base/loop.ts';
import { announcedRecord, changedSince, createAdvise } from '../destinations/announcements/advice.ts';
import { createAnnouncement } from '../destinations/announcements/cloud-event.ts';
import { withdrawAtStart } from '../destinations/destination-control.ts';
import { createDestinationWatch } from '../destinations/sending/destination-watch.ts';
import { createPlacesOf } from '../domain/catalogue/properties.ts';
import { allLimits } from '../domain/lifecycle/stage.ts';
import { findCacheFolder } from '../forms/files.ts';
import { readPayload } from '../ingress/message/parts.ts';
import { createDeadlines, keepDeadlines } from '../subjects/deadlines.ts';
import { announceTaskQueue, identityOf, warehouseQueues } from '../temporal/pollers.ts';
import { startWorkers, type Workers } from '../temporal/workers.ts';
import { bundleWorkflows } from '../temporal/workflow-bundle.ts';
import { createBreaker } from '../warehouse/breaker.ts';
import { Flights } from '../warehouse/client/flight.ts';
import type { OpenInbox } from './inbox.ts';
import { type PartOptions, temporalTarget } from './service-options.ts';
import { openTenantClients } from './tenant-clients.ts';

const CHECK_EVERY_MS = 20_000;

/** A demonstration should not wait as long. */
const READ_LAG_MS = { real: 15_000, simulated: 3000 };

/** Of users and pick lists. */
const PART_WAIT_MS = 15_000;

type WorkerOptions = PartOptions & { readonly inbox: OpenInbox };

export function startWorker(options: WorkerOptions) {
  const { config, dependencies, store, logger } = options;
  const deadlines = createDeadlines(dependencies.tenants);
  const pass = keepDeadlines({ ...store, deadlines, logger });
  const withdrawal = withdrawAtStart({ ...store, tenants: dependencies.tenants, logger });
  const clients = openTenantClients(dependencies.tenants, config, options);
  const background = new Set<Promise<void>>();
  const stopping = new AbortController();
  const inBackground = (work: Promise<unknown>) => {
    const end = () => void background.delete(ended);
    const ended = work.then(end, end);
    background.add(ended);
  };
  const activities = openActivities(options, { clients, deadlines, inBackground, stopping: stopping.signal });
  const polling = keepPolling(options, activities, stopping.signal);
  return {
    started: polling.started,
    isReady: polling.isReady,
    calls: clients.calls,
    async close() {
      stopping.abort();
      await polling.settle();
      await pass.close();
      await withdrawal.close();
      await polling.close();
      // One may start another.
      while (background.size > 0) await Promise.all(background);
      await clients.close();
    },
  };
}

interface ActivityParts {
  readonly clients: ReturnType<typeof openTenantClients>;
  readonly deadlines: ReturnType<typeof createDeadlines>;
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly stopping: AbortSignal;
}

/** Longest `Retry-After` that is honored. */
const RETRY_AFTER_CAP_MS = 600_000;

function openActivities(options: WorkerOptions, { clients, stopping, ...parts }: ActivityParts) {
  const { config, dependencies, store, logger } = options;
  const retry = { slowMs: config.RETRY_SLOW_MS, retryAfterCapMs: RETRY_AFTER_CAP_MS };
  return createActivities({
    ...parts,
    ...clients,
    compose: createAnnouncement,
    observer: options.observers?.activities,
    tracing: options.tracing,
    mayInline: (tenant, gets) =>
      !stopping.aborted && (gets === 0 || (options.isInline() && clients.isFree(tenant, gets))),
    breaker: createBreaker(retry),
    flights: new Flights(),
    resources: store.resources,
    subjects: store.subjects,
    stageLimits: allLimits(config.ORDER_STAGE_LIMITS),
    outbox: store.outbox,
    activityFailures: store.activityFailures,
    inbox: store.inbox,
    known: store.known,
    feed: options.inbox.feed,
    readPayload,
    announcedRecord,
    advise: createAdvise(createPlacesOf(dependencies.tenants)),
    changedSince,
    onAsked: ({ action, by, tenant, startedAt: at }) =>
      store.audit.note({
        at,
        action,
        target: { type: 'warehouse', id: tenant },
        actor: { token: 'command', operator: by },
      }),
    announceForMs: config.ANNOUNCE_FOR_MS,
    announceTimeoutMs: config.ANNOUNCE_TIMEOUT_MS,
    destinationWatch: createDestinationWatch({
      destinations: store.destinations,
      stopAfterMs: config.ANNOUNCE_STOP_AFTER_MS,
      logger,
    }),
    readLagMs: config.WAREHOUSE_READ_LAG_MS ?? READ_LAG_MS[config.simulated ? 'simulated' : 'real'],
    outageMs: config.WAREHOUSE_OUTAGE_MS,
    partWaitMs: PART_WAIT_MS,
    retry,
  });
}

type Activities = ReturnType<typeof createActivities>;

/** While no older installation does. */
function keepPolling(options: WorkerOptions, activities: Activities, stopping: AbortSignal) {
  const { logger } = options;
  const { ownership, attributes } = options.inbox;
  let running: Workers | undefined;
  async function start() {
    await ownership.assertOwn();
    await attributes.register();
    running = await startWorkers(await workersOptions(options, activities));
    return running;
  }
  const begin = () => startPersistently(start, (err) => logger.warn({ err }, 'the workers wait for Temporal'));
  let workers = begin();

  async function check() {
    // A replaced Temporal server, or one that lost its data, lacks them.
    await attributes.register().catch(() => undefined);
    // Of two that started at once, the younger one stops.
    const other = running?.isPolling() ? await ownership.findOther().catch(() => undefined) : undefined;
    if (stopping.aborted || other === undefined || other > ownership.installation) return;
    await workers.close();
    if (!stopping.aborted) workers = begin();
  }
  let checked = Promise.resolve();
  const checking = setInterval(() => {
    checked = checked.then(check);
  }, CHECK_EVERY_MS);
  return {
    started: workers.started,
    isReady: () => running?.isPolling() ?? false,
    async settle() {
      clearInterval(checking);
      await checked;
    },
    close: () => workers.close(),
  };
}

async function workersOptions(options: WorkerOptions, activities: Activities) {
  const { config, dependencies, taskQueue, onFailure } = options;
  return {
    ...temporalTarget(config, dependencies.temporal.address),
    taskQueue,
    identity: identityOf(options.inbox.ownership.installation),
    activities,
    onFailure,
    buildId: config.TEMPORAL_BUILD_ID,
    cachedWorkflows: config.TEMPORAL_CACHED_WORKFLOWS,
    warehouseQueues: warehouseQueues(taskQueue, dependencies.tenants),
    announceQueue: announceTaskQueue(taskQueue),
    workflowBundle: options.workflowBundle ?? (await bundleWorkflows(findCacheFolder())),
  };
}
