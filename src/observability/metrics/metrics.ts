import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../../base/logger.ts';
import { answerProblems, Problem } from '../../http/problem.ts';
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
