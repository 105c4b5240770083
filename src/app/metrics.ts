import type { Incident } from '../domain/health/incident.ts';
import { createStoredReading } from '../health/gauges.ts';
import { serve } from '../http/listen.ts';
import { createMetrics, createMetricsApp, createObservers } from '../observability/metrics/metrics.ts';
import { createIncidentGauges, createStoredGauges, shareReading } from '../observability/metrics/stored.ts';
import type { Readings } from '../store/limited-reads.ts';
import type { PartOptions } from './service-options.ts';

const STORE_MS = 5000;

/** Prometheus gives up after ten seconds by default. */
const WITHIN_MS = 3000;

interface RunningRoles {
  readonly whyNotReady: () => Promise<string | undefined>;
  readonly incidents: () => Promise<readonly Incident[]>;
}

/** Not ready before the roles run. Undefined without a port. */
export async function startMetrics({
  config,
  logger,
  store,
  readings,
}: Pick<PartOptions, 'config' | 'logger' | 'store'> & { readonly readings: Readings }) {
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  if (port === undefined) return undefined;
  const metrics = createMetrics();
  const { registry } = metrics;
  const stored = createStoredReading({ now: store.now, readings, waiting: store.inbox.waiting });
  const setStored = createStoredGauges(metrics, shareReading({ read: stored, forMs: STORE_MS, withinMs: WITHIN_MS }));
  let setIncidents = async () => {};
  let running: RunningRoles | undefined;
  const refresh = () => Promise.all([setStored(), setIncidents()]);
  const app = createMetricsApp({
    contentType: registry.contentType,
    async read() {
      await refresh();
      return await registry.metrics();
    },
    whyNotReady: async () => (running ? await running.whyNotReady() : 'The roles of this process are starting.'),
    logger,
  });
  const url = await serve('METRICS_PORT', { app, host, port });
  return {
    url,
    observers: createObservers(metrics),
    begin(roles: RunningRoles) {
      running = roles;
      const incidents = shareReading({ read: roles.incidents, forMs: STORE_MS, withinMs: WITHIN_MS });
      setIncidents = createIncidentGauges(metrics, incidents, store.now);
    },
    close: () => app.close(),
  };
}
