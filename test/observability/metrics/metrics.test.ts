import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMetrics, createObservers } from '../../../src/observability/metrics/metrics.ts';
import { table } from '../../../src/observability/metrics/table.ts';
import { parseExposition, valueIn } from './exposition.ts';
import { hasPromtool, promtool } from './promtool.ts';

const rows = Object.entries(table).map(([name, row]) => ({ name, ...row }));

describe('the table of metrics', () => {
  it('is created as it is, in a registry of its own, beside the metrics of the process', async () => {
    const { registry } = createMetrics();
    const created = (await registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('dockline_'));
    expect(created.map(({ name, type, help }) => ({ name, type, help }))).toEqual(
      rows.map(({ name, type, help }) => ({ name, type, help })),
    );
    expect(await createMetrics().registry.metrics()).toContain('process_cpu_seconds_total');
  });

  it('has the units of counters and durations in their names', () => {
    for (const { name, type, unit } of rows) {
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(/_seconds(_total)?$/.test(name), name).toBe(/^seconds/.test(unit));
    }
  });

  it('has no label that could hold the id of a subject', () => {
    const labels = new Set(rows.flatMap((row) => row.labels));
    expect([...labels].sort()).toEqual(
      ['condition', 'endpoint', 'kind', 'operation', 'outcome', 'place', 'stage', 'status', 'tenant'].sort(),
    );
  });

  it('is the table of the page, row for row', () => {
    const page = readFileSync('docs/observability.md', 'utf8');
    const shown = [...page.matchAll(/^\| `(dockline_\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm)].map(
      ([, name, type, labels = '', help]) => ({ name, type, labels: labels.match(/\w+/g) ?? [], help }),
    );
    expect(shown).toEqual(rows.map(({ name, type, labels, help }) => ({ name, type, labels, help })));
  });
});

describe('the observers', () => {
  it('count deliveries by endpoint and outcome, and those to unknown endpoints under one name', async () => {
    const metrics = createMetrics();
    const observe = createObservers(metrics).deliveries(['warehouse']);
    const answers = [
      ['warehouse', 'accepted', 200],
      ['warehouse', undefined, 401],
      ['warehouse', undefined, 401],
      ['one', undefined, 404],
      ['two', undefined, 404],
    ] as const;
    for (const [endpoint, outcome, status] of answers) observe({ endpoint, outcome, status, ms: 3 });
    const samples = parseExposition(await metrics.registry.metrics());
    const count = (labels: Readonly<Record<string, string>>) =>
      valueIn(samples, 'dockline_webhook_deliveries_total', labels);
    expect(count({ endpoint: 'warehouse', outcome: 'accepted' })).toBe(1);
    expect(count({ endpoint: 'warehouse', outcome: 'duplicate' })).toBe(0);
    expect(count({ endpoint: 'warehouse', outcome: 'refused', status: '401' })).toBe(2);
    expect(count({ endpoint: '_unknown', outcome: 'refused', status: '404' })).toBe(2);
    expect(new Set(samples.map(({ labels }) => labels.endpoint ?? ''))).toEqual(new Set(['', 'warehouse', '_unknown']));
    const bucket = { endpoint: 'warehouse', le: '0.0025' };
    expect(valueIn(samples, 'dockline_webhook_delivery_duration_seconds_bucket', bucket)).toBe(0);
    expect(valueIn(samples, 'dockline_webhook_delivery_duration_seconds_bucket', { ...bucket, le: '0.005' })).toBe(3);
  });

  it('measure no negative lag, whatever the clocks of two machines say', async () => {
    const metrics = createMetrics();
    createObservers(metrics).activities.recorded(Date.now() + 60_000);
    const samples = parseExposition(await metrics.registry.metrics());
    expect(valueIn(samples, 'dockline_recording_lag_seconds_sum')).toBe(0);
  });

  it.runIf(hasPromtool)('feed metrics of which promtool has nothing to say', async () => {
    const metrics = createMetrics();
    const { deliveries, warehouse, activities } = createObservers(metrics);
    deliveries(['warehouse'])({ endpoint: 'warehouse', outcome: 'accepted', status: 200, ms: 1 });
    warehouse('9104').called({ operation: 'getOrder', status: null, ms: 1 });
    activities.recorded(Date.now());
    activities.sent({ tenant: '9104', outcome: 'delivered', ms: 1, triedSince: Date.now() });
    activities.deadLettered('9104');
    expect(await promtool(['check', 'metrics'], await metrics.registry.metrics())).toEqual({ code: 0, said: '' });
  });
});
