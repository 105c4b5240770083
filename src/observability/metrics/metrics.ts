import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ActivityObserver } from '../../../activities/ports/deps.ts';
import type { Logger } from '../../base/logger.ts';
import { answerProblems, Problem } from '../../http/problem.ts';
import type { Outcome } from '../../inbox/inbox.ts';
import type { DeliveryObserver } from '../../ingress/routes.ts';
import type { ApiObserver } from '../../warehouse/client/api.ts';
import { type LabelOf, type MetricName, type MetricOf, table } from './table.ts';

export interface MetricsAppDeps {
  readonly contentType: string;
  readonly read: () => Promise<string>;
  /** Undefined if all roles of this process work. */
  readonly whyNotReady: () => Promise<string | undefined>;
  readonly logger: Pick<Logger, 'error'>;
}

export function createMetricsApp({ contentType, read, whyNotReady, logger }: MetricsAppDeps): FastifyInstance {
  const app = fastify({ logger: false });
  answerProblems(app, { logger, failed: 'a request for metrics failed', notFound: 'There is no such address.' });
  app.get('/metrics', async (_request, reply) => reply.type(contentType).send(await read()));
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    const reason = await whyNotReady();
    if (reason !== undefined) throw new Problem(503, reason);
    return { status: 'ready' };
  });
  return app;
}

export interface Metrics {
  readonly registry: Registry;
  counter<N extends MetricOf<'counter'>>(name: N): Counter<LabelOf<N>>;
  gauge<N extends MetricOf<'gauge'>>(name: N): Gauge<LabelOf<N>>;
  histogram<N extends MetricOf<'histogram'>>(name: N): Histogram<LabelOf<N>>;
}

const kinds = { counter: Counter, gauge: Gauge, histogram: Histogram } as const;

/** prom-client's gauges with the suffix of a counter; each is the sum of another one. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const created = new Map<MetricName, unknown>();
  for (const [name, { type, labels, help, ...rest }] of Object.entries(table)) {
    const buckets = 'buckets' in rest ? { buckets: [...rest.buckets] } : {};
    const options = { name, help, labelNames: [...labels], registers: [registry], ...buckets };
    created.set(name as MetricName, new kinds[type](options));
  }
  const find = <T>(name: MetricName) => created.get(name) as T;
  return { registry, counter: find, gauge: find, histogram: find };
}

export type Observers = ReturnType<typeof createObservers>;

const UNKNOWN = '_unknown';

const outcomes = ['accepted', 'duplicate', 'quarantined'] as const satisfies readonly Outcome[];

export function createObservers(metrics: Metrics) {
  return {
    deliveries: (endpoints: readonly string[]) => observeDeliveries(metrics, endpoints),
    warehouse: (tenant: string) => observeWarehouse(metrics, tenant),
    activities: observeActivities(metrics),
  };
}

function observeDeliveries(metrics: Metrics, endpoints: readonly string[]): DeliveryObserver {
  const deliveries = metrics.counter('dockline_webhook_deliveries_total');
  const durations = metrics.histogram('dockline_webhook_delivery_duration_seconds');
  const known = new Set(endpoints);
  // A series that is there from the start has a rate from its first delivery on.
  for (const endpoint of known) for (const outcome of outcomes) deliveries.inc({ endpoint, outcome, status: '200' }, 0);
  return ({ endpoint: asked, outcome = 'refused', status, ms }) => {
    const endpoint = known.has(asked) ? asked : UNKNOWN;
    durations.observe({ endpoint }, ms / 1000);
    deliveries.inc({ endpoint, outcome, status: String(status) });
  };
}

function observeWarehouse(metrics: Metrics, tenant: string): ApiObserver {
  const calls = metrics.counter('dockline_warehouse_calls_total');
  const durations = metrics.histogram('dockline_warehouse_call_duration_seconds');
  const waits = metrics.counter('dockline_warehouse_rate_limit_wait_seconds_total');
  waits.inc({ tenant }, 0);
  return {
    called({ operation, status, ms }) {
      calls.inc({ tenant, operation, status: String(status ?? 'none') });
      durations.observe({ tenant, operation }, ms / 1000);
    },
    waited: (ms) => waits.inc({ tenant }, ms / 1000),
  };
}

function observeActivities(metrics: Metrics): ActivityObserver {
  const recordingLag = metrics.histogram('dockline_recording_lag_seconds');
  const attempts = metrics.counter('dockline_announcement_attempts_total');
  const durations = metrics.histogram('dockline_announcement_attempt_duration_seconds');
  const lag = metrics.histogram('dockline_announcement_lag_seconds');
  const deadLettered = metrics.counter('dockline_announcements_dead_lettered_total');
  return {
    recorded: (receivedAt) => recordingLag.observe(secondsSince(receivedAt)),
    sent({ tenant, outcome, ms, triedSince }) {
      attempts.inc({ tenant, outcome });
      durations.observe({ tenant }, ms / 1000);
      if (outcome === 'delivered') lag.observe({ tenant }, secondsSince(triedSince));
    },
    deadLettered: (tenant) => deadLettered.inc({ tenant }),
  };
}

/** Clocks of several machines may differ: a lag is never negative. */
const secondsSince = (time: number): number => Math.max(0, Date.now() - time) / 1000;
