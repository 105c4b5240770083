import { expect, it, onTestFinished } from 'vitest';
import { createMetrics, createMetricsApp, type MetricsAppDeps } from '../../../src/observability/metrics/metrics.ts';
import { scrape } from './exposition.ts';

async function serve(deps: Partial<MetricsAppDeps> = {}) {
  const { registry } = createMetrics();
  const lines: string[] = [];
  const app = createMetricsApp({
    contentType: registry.contentType,
    read: () => registry.metrics(),
    whyNotReady: async () => undefined,
    logger: { error: (_fields, message) => void lines.push(message) },
    ...deps,
  });
  onTestFinished(() => app.close());
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), lines };
}

it('a scrape is text that Prometheus reads, of which every line can be parsed', async () => {
  const { url } = await serve();
  const { headers } = await fetch(`${url}/metrics`);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const { samples } = await scrape(url);
  expect(samples.length).toBeGreaterThan(50);
  expect(samples.filter(({ value, name }) => Number.isNaN(value) && !name.startsWith('nodejs_'))).toEqual([]);
});

it('the process is live, and ready as soon as its roles are', async () => {
  let ready = false;
  const { url } = await serve({ whyNotReady: async () => (ready ? undefined : 'starting') });
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  expect((await fetch(`${url}/health/ready`)).status).toBe(503);
  ready = true;
  expect(await (await fetch(`${url}/health/ready`)).json()).toEqual({ status: 'ready' });
});

it('other addresses and failures are problems that reveal nothing', async () => {
  const { url, lines } = await serve({ read: () => Promise.reject(new Error('postgres://secret')) });
  const failed = await fetch(`${url}/metrics`);
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toContain('secret');
  expect(lines).toEqual(['a request for metrics failed']);
  for (const [path, method] of [
    ['/', 'GET'],
    ['/metrics', 'POST'],
  ] as const) {
    expect((await fetch(url + path, { method })).status).toBe(404);
  }
});
