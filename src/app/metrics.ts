import type { Logger } from '../base/logger.ts';
import type { Incident } from '../domain/health/incident.ts';
import { createStoredReading } from '../health/gauges.ts';
import { serve } from '../http/listen.ts';
import { createMetricsApp } from '../observability/metrics/app.ts';
import { createIncidentGauges } from '../observability/metrics/incidents.ts';
import { createMetrics } from '../observability/metrics/metrics.ts';
import { createObservers } from '../observability/metrics/observers.ts';
import { createStoredGauges, createSweepGauge, shareReading } from '../observability/metrics/stored.ts';
import { lastSuccessfulSweep } from '../temporal/sweep-schedules.ts';
import type { OpenInbox } from './inbox.ts';
import type { ServiceOptions } from './service-options.ts';
import type { Store } from './store.ts';

/** Age at which the store is counted again, and at which Temporal is asked again for sweeps, in milliseconds. */
const STORE_MS = 5000;
const SWEEPS_MS = 60_000;

/** Time that a scrape waits for either, in milliseconds; Prometheus gives up after ten seconds by default. */
const WITHIN_MS = 3000;

/** Roles of a process as its health sees them. */
interface RunningRoles {
  /** Says which role does not work; undefined if every one does. */
  readonly whyNotReady: () => Promise<string | undefined>;
  /** Finds what is wrong. */
  readonly incidents: () => Promise<readonly Incident[]>;
  /** Returns the end of the last successful sweep of each tenant; absent in a process that keeps no schedules. */
  readonly sweeps?: (() => Promise<ReadonlyMap<string, number>>) | undefined;
}

interface MetricsOptions extends Pick<ServiceOptions, 'config'> {
  readonly dependencies: Pick<ServiceOptions['dependencies'], 'tenants'>;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly store: Store;
}

/** Serves the metrics and the health of this process, which is not ready before its roles run; undefined if it has no port for them. */
export async function startMetrics({ config, dependencies, logger, store }: MetricsOptions) {
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  if (port === undefined) return undefined;
  const metrics = createMetrics();
  const { registry } = metrics;
  const configured = dependencies.tenants.flatMap(({ id: tenant, destinations }) =>
    destinations.map(({ name }) => ({ tenant, name })),
  );
  const stored = createStoredReading({ ...store, waiting: store.inbox.waiting, configured });
  const setStored = createStoredGauges(metrics, shareReading({ read: stored, forMs: STORE_MS, withinMs: WITHIN_MS }));
  let setSweeps = async () => {};
  let setIncidents = async () => {};
  let running: RunningRoles | undefined;
  const refresh = () => Promise.all([setStored(), setSweeps(), setIncidents()]);
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
    /** Makes this process ready as soon as its roles are. */
    begin(roles: RunningRoles) {
      running = roles;
      const incidents = shareReading({ read: roles.incidents, forMs: STORE_MS, withinMs: WITHIN_MS });
      setIncidents = createIncidentGauges(metrics, incidents, store.now);
      if (!roles.sweeps) return;
      setSweeps = createSweepGauge(
        metrics,
        shareReading({ read: roles.sweeps, forMs: SWEEPS_MS, withinMs: WITHIN_MS }),
      );
    },
    close: () => app.close(),
  };
}

/** Finds the last successful sweep of each tenant; of the only one that webhooks named, if none is configured. */
export async function findSweeps(
  { dependencies, store }: Pick<ServiceOptions, 'dependencies'> & { readonly store: Store },
  { client }: Pick<OpenInbox, 'client'>,
): Promise<ReadonlyMap<string, number>> {
  const named = dependencies.tenants.flatMap(({ id }) => id ?? []);
  const found = new Map<string, number>();
  for (const tenant of named.length > 0 ? named : await store.tenants()) {
    const endedAt = await lastSuccessfulSweep(client, tenant);
    if (endedAt !== undefined) found.set(tenant, endedAt);
  }
  return found;
}
