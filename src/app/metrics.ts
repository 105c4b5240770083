import type { Logger } from '../observability/logger.ts';
import { createMetricsApp } from '../observability/metrics/app.ts';
import { createMetrics } from '../observability/metrics/metrics.ts';
import { createObservers } from '../observability/metrics/observers.ts';
import { createStoredGauges, createSweepGauge, shareReading } from '../observability/metrics/stored.ts';
import { createStoredReading } from '../store/listings/gauges.ts';
import type { Store } from '../store/store.ts';
import { lastSuccessfulSweep } from '../temporal/sweep-schedules.ts';
import type { OpenInbox } from './inbox.ts';
import { listen } from './listen.ts';
import type { ServiceOptions } from './service-options.ts';

/** Age at which the store is counted again, and at which Temporal is asked again for sweeps, in milliseconds. */
const STORE_MS = 5000;
const SWEEPS_MS = 60_000;

/** Time that a scrape waits for either, in milliseconds; Prometheus gives up after ten seconds by default. */
const WITHIN_MS = 3000;

/** Roles of a process as its health sees them. */
export interface RunningRoles {
  /** Reports whether every role works. */
  readonly isReady: () => Promise<boolean>;
  /** Returns the end of the last successful sweep of each tenant; absent in a process that keeps no schedules. */
  readonly sweeps?: (() => Promise<ReadonlyMap<string, number>>) | undefined;
}

/** Serves the metrics and the health of this process, which is not ready before its roles run. */
export async function startMetrics({
  config,
  logger,
  store,
}: Pick<ServiceOptions, 'config'> & { readonly logger: Pick<Logger, 'error'>; readonly store: Store }) {
  const metrics = createMetrics();
  const { registry } = metrics;
  const stored = createStoredReading({ ...store, waiting: store.inbox.waiting });
  const setStored = createStoredGauges(metrics, shareReading({ read: stored, forMs: STORE_MS, withinMs: WITHIN_MS }));
  let setSweeps = async () => {};
  let running: RunningRoles | undefined;
  const app = createMetricsApp({
    contentType: registry.contentType,
    async read() {
      await Promise.all([setStored(), setSweeps()]);
      return await registry.metrics();
    },
    isReady: async () => running !== undefined && (await running.isReady()),
    logger,
  });
  const { METRICS_HOST: host, METRICS_PORT: port = 0 } = config;
  const url = await listen('METRICS_PORT', port, () => app.listen({ host, port }));
  return {
    url,
    observers: createObservers(metrics),
    /** Makes this process ready as soon as its roles are. */
    begin(roles: RunningRoles) {
      running = roles;
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
