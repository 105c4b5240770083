import { join } from 'node:path';
import { createRetention } from '../store/retention.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import { startAdminApi } from './admin-api.ts';
import { openAlertChannels } from './alert-channels.ts';
import { startAlerts } from './alerts.ts';
import { startCodecEndpoint } from './codec.ts';
import { openHealth } from './health.ts';
import { openInbox } from './inbox.ts';
import { findSweeps, startMetrics } from './metrics.ts';
import { type PartOptions, type Role, roles, type ServiceOptions } from './service-options.ts';
import { openStore, type Store } from './store.ts';
import { keepSweeps } from './sweeps.ts';
import { startTracing } from './telemetry.ts';
import { warnOfPlainText } from './temporal-target.ts';
import { startWebhook } from './webhook.ts';
import { startWorker } from './worker.ts';

/** Parts of Dockline that run in this process; undefined for the roles that it does not have. */
export type Running = Awaited<ReturnType<typeof startRoles>>;

/** Dockline with every role in this process. */
export type Service = Running & { readonly [P in 'webhook' | 'worker' | 'admin']: NonNullable<Running[P]> };

/** Reports whether this process has every role. */
export const isWhole = (running: Running): running is Service =>
  running.webhook !== undefined && running.worker !== undefined && running.admin !== undefined;

/** Starts the given roles, which close in reverse order. Several processes share one PostgreSQL database. */
export async function startRoles({
  roles: chosen,
  taskQueue = TASK_QUEUE,
  ...options
}: ServiceOptions & { readonly roles: readonly Role[] }) {
  await using opened = new AsyncDisposableStack();
  const open = <T extends { close(): Promise<void> } | undefined>(part: T): T =>
    opened.adopt(part, async (it) => await it?.close());
  const has = (role: Role): boolean => chosen.includes(role);
  const { DATABASE_URL: url, DATA_FOLDER, TEMPORAL_ACTIVITIES: mode } = options.config;
  warnOfPlainText(options.config, options.logger);
  const tracing = open(await startTracing(options.config, options.logger));
  const store = open(await openStore(url ? { url } : { file: join(DATA_FOLDER, 'dockline.db') }));
  // Opened before the roles, so that they are seen while they start and while they stop.
  const metrics = open(await startMetrics({ ...options, store }));
  const { processes } = store;
  // Workers share the rate limit of the warehouse, so each has to know about the others.
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
  const health = openHealth({ ...parts, inbox });
  open(startAlerts({ ...parts, health, channels }));
  const admin = has('admin') ? open(await startAdminApi({ ...parts, inbox, channels, health })) : undefined;
  const codec = has('admin') ? open(await startCodecEndpoint(options)) : undefined;
  // Last, so that it closes first: it reports that it is not ready before anything else stops.
  const webhook = has('webhook') ? open(await startWebhook({ ...parts, inbox })) : undefined;
  metrics?.begin({
    incidents: health.whole.open,
    whyNotReady: async () => {
      if (worker?.isReady() === false) return 'The worker does not poll Temporal.';
      return webhook ? await webhook.whyNotReady() : await store.whyUnusable();
    },
    sweeps: worker && (() => findSweeps(parts, inbox)),
  });
  const running = opened.move();
  return { store, webhook, worker, admin, codec, metrics, close: () => running.disposeAsync() };
}

const DAY_MS = 86_400_000;

/** Starts to purge data past its configured retention at intervals. */
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
