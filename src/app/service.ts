import type { Logger } from '../base/logger.ts';
import { DAY_MS } from '../base/moment.ts';
import type { Config } from '../config/config.ts';
import { visibleOf } from '../destinations/settings.ts';
import { serve } from '../http/listen.ts';
import { createReadings, readEverything } from '../store/limited-reads.ts';
import { createRetention } from '../store/retention.ts';
import { createCodecApp } from '../temporal/codec/app.ts';
import { createCodec } from '../temporal/codec/codec.ts';
import { TASK_QUEUE } from '../temporal/pollers.ts';
import { startAdminApi } from './admin-api.ts';
import { openAlertChannels, openHealth, startAlerts } from './health.ts';
import { openInbox } from './inbox.ts';
import { startMetrics } from './metrics.ts';
import { type PartOptions, type Role, roles, type ServiceOptions, warnOfPlainText } from './service-options.ts';
import { openStore, type Store, storeLocation } from './store.ts';
import { keepSweeps } from './sweeps.ts';
import { startWebhook } from './webhook.ts';
import { startWorker } from './worker.ts';

/** Undefined for roles that this process does not have. */
export type Running = Awaited<ReturnType<typeof startRoles>>;

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
  let served: string | undefined;
  const channels = alerts && open(openAlertChannels(options.config, alerts, { served: () => served }));
  const health = openHealth({ ...parts, inbox, readings });
  const admin = has('admin') ? open(await startAdminApi({ ...parts, inbox, health })) : undefined;
  served = admin?.url;
  open(startAlerts({ ...parts, health, channels }));
  const codec = has('admin') ? open(await startCodecEndpoint(options)) : undefined;
  // Last, so that it closes first: not ready before anything else stops.
  const webhook = has('webhook') ? open(await startWebhook({ ...parts, inbox })) : undefined;
  metrics?.begin({
    incidents: health.whole.open,
    whyNotReady: async () => {
      if (worker?.isReady() === false) return 'The worker does not poll Temporal.';
      return webhook ? await webhook.whyNotReady() : await store.whyUnusable();
    },
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

async function startCodecEndpoint({ config, dependencies, logger }: ServiceOptions) {
  const { TEMPORAL_CODEC_KEYS: keys, CODEC_HOST: host, CODEC_PORT: port, CODEC_TOKEN: token } = config;
  if (!keys || port === undefined) return undefined;
  const origins = config.CODEC_ORIGINS ?? originsOf(dependencies.temporal.uiUrl);
  const app = createCodecApp({ codec: createCodec(keys), token, origins, logger });
  const url = await serve('CODEC_PORT', { app, host, port });
  return { url, close: () => app.close() };
}

/** People open the embedded UI under either origin. */
function originsOf(uiUrl: string | undefined): string[] {
  if (!uiUrl) return [];
  const { origin, port } = new URL(uiUrl);
  return [origin, `http://localhost:${port}`];
}

export async function startTracing(config: Config, logger: Logger) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_SERVICE_NAME: serviceName } = config;
  if (collector === undefined) return undefined;
  const { openTracing } = await import('../observability/tracing/open-telemetry.ts');
  const url = `${collector.replace(/\/$/, '')}/v1/traces`;
  return openTracing({ url, serviceName, ratio: config.OTEL_TRACES_SAMPLER_ARG, logger });
}
