import { DAY_MS } from '../base/moment.ts';
import { visibleOf } from '../destinations/settings.ts';
import { readEverything } from '../store/limited-reads.ts';
import { createReadings } from '../store/readings.ts';
import { createRetention } from '../store/retention.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import { startAdminApi } from './admin-api.ts';
import { openAlertChannels, startAlerts } from './alerts.ts';
import { startCodecEndpoint } from './codec.ts';
import { openHealth } from './health.ts';
import { openInbox } from './inbox.ts';
import { startMetrics } from './metrics.ts';
import { type PartOptions, type Role, roles, type ServiceOptions } from './service-options.ts';
import { openStore, type Store, storeLocation } from './store.ts';
import { keepSweeps } from './sweeps.ts';
import { startTracing } from './telemetry.ts';
import { warnOfPlainText } from './temporal-target.ts';
import { startWebhook } from './webhook.ts';
import { startWorker } from './worker.ts';

/** Undefined for roles that this process does not have. */
export type Running = Awaited<ReturnType<typeof startRoles>>;

/** Has every role. */
export type Service = Running & { readonly [P in 'webhook' | 'worker' | 'admin']: NonNullable<Running[P]> };

export const isWhole = (running: Running): running is Service =>
  running.webhook !== undefined && running.worker !== undefined && running.admin !== undefined;

/** Roles close in reverse order. Several processes share one PostgreSQL database. */
export async function startRoles({
  roles: chosen,
  taskQueue = TASK_QUEUE,
  ...options
}: ServiceOptions & { readonly roles: readonly Role[] }) {
  await using opened = new AsyncDisposableStack();
  const open = <T extends { close(): Promise<void> } | undefined>(part: T): T =>
    opened.adopt(part, async (it) => await it?.close());
  const has = (role: Role): boolean => chosen.includes(role);
  const { TEMPORAL_ACTIVITIES: mode } = options.config;
  warnOfPlainText(options.config, options.logger);
  const tracing = open(await startTracing(options.config, options.logger));
  const store = open(await openStore(storeLocation(options.config)));
  await store.destinations.configure(options.dependencies.tenants.map(visibleOf));
  // Opened first, so that it is seen while roles start and stop.
  const readings = createReadings(readEverything(store.reads), store.now);
  const metrics = open(await startMetrics({ ...options, store, readings }));
  const { processes } = store;
  // Workers share the rate limit of a warehouse, so each has to know the others.
  if (has('worker')) {
    await processes.join();
    opened.defer(() => processes.leave());
  }
  const hasAll = roles.every(has);
  const isInline = () => (mode === undefined ? hasAll && processes.isAlone() : mode === 'inline');
  const parts: PartOptions = { ...options, store, taskQueue, isInline, observers: metrics?.observers, tracing };
  const inbox = open(openInbox({ ...parts, dispatches: has('dispatcher') }));
  if (has('dispatcher')) open(keepRetention(store, options));
  const worker = has('worker') ? open(startWorker({ ...parts, inbox })) : undefined;
  if (worker) open(keepSweeps({ ...parts, inbox }));
  const { alerts } = options.dependencies;
  const channels = alerts && open(openAlertChannels(options.config, alerts));
  const health = openHealth({ ...parts, inbox, readings });
  open(startAlerts({ ...parts, health, channels }));
  const admin = has('admin') ? open(await startAdminApi({ ...parts, inbox, channels, health })) : undefined;
  const codec = has('admin') ? open(await startCodecEndpoint(options)) : undefined;
  // Last, so that it closes first: not ready before anything else stops.
  const webhook = has('webhook') ? open(await startWebhook({ ...parts, inbox })) : undefined;
  metrics?.begin({
    incidents: health.whole.open,
    whyNotReady: async () => {
      if (worker?.isReady() === false) return 'The worker does not poll Temporal.';
      return webhook ? await webhook.whyNotReady() : await store.whyUnusable();
    },
    sweeps: worker && health.machine.sweeps,
  });
  const running = opened.move();
  return { store, webhook, worker, admin, codec, metrics, close: () => running.disposeAsync() };
}

function keepRetention({ purge, time }: Store, { config, logger }: ServiceOptions) {
  const ages = {
    bodies: config.RETAIN_BODIES_DAYS * DAY_MS,
    events: config.RETAIN_EVENTS_DAYS * DAY_MS,
    keys: config.RETAIN_KEYS_DAYS * DAY_MS,
    quarantined: config.RETAIN_QUARANTINE_DAYS * DAY_MS,
    announcements: config.RETAIN_ANNOUNCEMENTS_DAYS * DAY_MS,
    resources: config.RETAIN_RESOURCES_DAYS * DAY_MS,
    audit: config.RETAIN_AUDIT_DAYS * DAY_MS,
    notes: config.RETAIN_AUDIT_DAYS * DAY_MS,
    bulk: config.RETAIN_AUDIT_DAYS * DAY_MS,
  };
  const retention = createRetention({ purge, logger, ages, now: time });
  retention.start();
  return retention;
}
