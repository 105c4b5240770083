import { describe, expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../../../src/observability/metrics/metrics.ts';
import { createObservers } from '../../../src/observability/metrics/observers.ts';
import { type MetricsExportOptions, openMetricsExport } from '../../../src/observability/otlp/metrics-export.ts';
import { type ReceivedMetric, startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { parseExposition, type Sample } from '../metrics/exposition.ts';

/** Opens an export to a collector of the test's own. */
async function open(changes: Partial<MetricsExportOptions> = {}) {
  const collector = await startOtlpReceiver();
  const metrics = createMetrics();
  const logged: string[] = [];
  const log = (_fields: object, message: string) => void logged.push(message);
  const exporting = openMetricsExport({
    url: `${collector.endpoint}/v1/metrics`,
    timeoutMs: 60_000,
    serviceName: 'dockline',
    everyMs: 60_000,
    registry: metrics.registry,
    refresh: async () => undefined,
    logger: { warn: log, info: log },
    ...changes,
  });
  onTestFinished(() => exporting.close());
  return { collector, metrics, exporting, logged };
}

/** Writes received metrics as Prometheus would show them. */
function samplesOf({ name, points }: ReceivedMetric): readonly Sample[] {
  return points.flatMap(({ labels: attributes, value, count, counts = [], bounds = [] }) => {
    const labels = attributes as Sample['labels'];
    if (count === undefined) return [{ name, labels, value }];
    const buckets = counts.map((_, index) => ({
      name: `${name}_bucket`,
      labels: { le: String(bounds[index] ?? '+Inf'), ...labels },
      value: counts.slice(0, index + 1).reduce((sum, one) => sum + one, 0),
    }));
    return [...buckets, { name: `${name}_sum`, labels, value }, { name: `${name}_count`, labels, value: count }];
  });
}

describe('metrics over OTLP', () => {
  it('are those that a scrape shows, with their labels, buckets and units', async () => {
    const { collector, metrics, exporting } = await open();
    const observers = createObservers(metrics);
    const observe = observers.deliveries(['warehouse', 'other']);
    for (const ms of [0.4, 3, 7, 90_000]) observe({ endpoint: 'warehouse', outcome: 'accepted', status: 200, ms });
    observe({ endpoint: 'other', outcome: undefined, status: 401, ms: 2 });
    metrics.gauge('dockline_inbox_quarantined_events').set({ reason: 'event' }, 3);
    await exporting.close();

    const own = (samples: readonly Sample[]) => new Set(samples.map((sample) => JSON.stringify(sorted(sample))));
    const scraped = parseExposition(await metrics.registry.metrics()).filter(({ name }) =>
      name.startsWith('dockline_'),
    );
    const received = collector.metrics().filter(({ name }) => name.startsWith('dockline_'));
    expect(scraped.length).toBeGreaterThan(30);
    expect(own(received.flatMap(samplesOf))).toEqual(own(scraped));
    expect(new Set(collector.metrics().map(({ service }) => service))).toEqual(new Set(['dockline']));
    expect(collector.metrics().map(({ name }) => name)).toContain('process_cpu_seconds_total');
    const find = (name: string) => received.find((metric) => metric.name === name);
    expect(find('dockline_webhook_deliveries_total')).toMatchObject({ kind: 'sum', isCumulative: true, unit: '' });
    const duration = { kind: 'histogram', isCumulative: true, unit: 's' };
    expect(find('dockline_webhook_delivery_duration_seconds')).toMatchObject(duration);
    expect(find('dockline_inbox_quarantined_events')).toMatchObject({ kind: 'gauge' });
  });

  it('are read anew for each export, which a collector that fails does not stop', async () => {
    let reads = 0;
    const refresh = async () => {
      reads += 1;
    };
    const { collector, logged } = await open({ everyMs: 100, refresh });
    await expect.poll(() => collector.metrics().length).toBeGreaterThan(0);
    collector.setAnswer(400);
    const before = reads;
    await expect.poll(() => reads).toBeGreaterThan(before + 3);
    expect(logged).toEqual(['metrics cannot be exported; the next export has the totals']);
    collector.setAnswer(200);
    await expect.poll(() => logged.at(-1)).toBe('metrics are exported again');
  });

  it('do not hold up the end of the process', async () => {
    const { collector, exporting } = await open({ timeoutMs: 300 });
    collector.setAnswer(0);
    const limit = AbortSignal.timeout(15_000);
    await exporting.close();
    expect(collector.requests()).toBe(1);
    expect(limit.aborted).toBe(false);
  });

  it('do not hold up the end of the process where the gauges cannot be read', async () => {
    const { collector, exporting } = await open({ timeoutMs: 300, refresh: () => new Promise(() => undefined) });
    await exporting.close();
    expect(collector.requests()).toBe(0);
  });
});

const sorted = ({ name, labels, value }: Sample) => [
  name,
  Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)),
  value,
];
