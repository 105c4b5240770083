import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Sample, scrape, valueIn } from '../observability/metrics/exposition.ts';
import { hasPromtool, promtool } from '../observability/metrics/promtool.ts';
import { type SystemTenant, startSystem } from '../support/system.ts';

/** Time for which a process that stops is not ready, which passes when the test says so. In an hour every loop would go round some thousand times. */
const DELAY_MS = 5_000;

/** Nothing is wrong for long enough here; their own tests scrape them. */
const OTHERS = /^dockline_(?:incident|incident_age_seconds)$/;

it('a scrape shows deliveries, calls, attempts and what is stuck, while an order is announced and its destination refuses', async () => {
  const { simulator, receiver, announced, service, tenants } = await startSystem({
    env: { METRICS_PORT: '0', ANNOUNCE_FOR_MS: '2500', SHUTDOWN_DELAY_MS: String(DELAY_MS) },
  });
  const metricsUrl = service().metrics?.url ?? '';
  expect((await fetch(`${metricsUrl}/health/live`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${metricsUrl}/health/ready`)).status).toBe(200);

  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  await expect.poll(() => announced(orderId)).toEqual(['1/created']);
  receiver.setAnswer(422);
  await simulator.emit(orderId, 'OrderFullyAllocated');
  const [{ tenant, url }] = tenants as [SystemTenant];
  const warehouse = { tenant };
  const endpoint = url.split('/').at(-1) ?? '';
  expect((await fetch(url, { method: 'POST', body: 'forged' })).status).toBe(401);

  const seen = (samples: readonly Sample[]) => ({
    accepted: valueIn(samples, 'dockline_webhook_deliveries_total', { endpoint, outcome: 'accepted', status: '200' }),
    forged: valueIn(samples, 'dockline_webhook_deliveries_total', { endpoint, outcome: 'refused', status: '401' }),
    answers: valueIn(samples, 'dockline_webhook_delivery_duration_seconds_count', { endpoint }),
    waiting: valueIn(samples, 'dockline_inbox_waiting_events'),
    recorded: valueIn(samples, 'dockline_recording_lag_seconds_count'),
    gets: valueIn(samples, 'dockline_warehouse_calls_total', { ...warehouse, operation: 'getOrder', status: '200' }),
    delivered: valueIn(samples, 'dockline_announcement_attempts_total', { tenant, outcome: 'delivered' }),
    announced: valueIn(samples, 'dockline_announcement_lag_seconds_count', { tenant }),
    isRefused: (valueIn(samples, 'dockline_announcement_attempts_total', { tenant, outcome: 'refused' }) ?? 0) > 0,
    deadLettered: valueIn(samples, 'dockline_announcements_dead_lettered_total', { tenant }),
    unsent: valueIn(samples, 'dockline_announcements_unsent'),
    allocated: valueIn(samples, 'dockline_subjects', { kind: 'order', stage: 'fullyAllocated' }),
    isUp: valueIn(samples, 'dockline_store_up'),
  });
  await expect
    .poll(async () => seen((await scrape(metricsUrl)).samples), { interval: 500 })
    .toEqual({
      accepted: 2,
      forged: 1,
      answers: 3,
      waiting: 0,
      recorded: 2,
      gets: 2,
      delivered: 1,
      announced: 1,
      isRefused: true,
      deadLettered: 1,
      unsent: 0,
      allocated: 1,
      isUp: 1,
    });

  const { text, samples } = await scrape(metricsUrl);
  expect(valueIn(samples, 'dockline_subjects_oldest_stage_age_seconds', { stage: 'fullyAllocated' })).toBeGreaterThan(
    0,
  );
  expect(text).not.toContain(orderId);
  for (const file of ['deploy/prometheus/alerts.yaml', 'deploy/grafana/dockline.json']) {
    const named = readFileSync(file, 'utf8').match(/\b(?:dockline|nodejs|process)_\w+/g) ?? [];
    expect(new Set(named).size, file).toBeGreaterThan(1);
    const hasSeries = (name: string) => [name, `${name}_count`].some((one) => valueIn(samples, one) !== undefined);
    expect(named.filter((name) => !hasSeries(name) && !OTHERS.test(name))).toEqual([]);
  }
  if (hasPromtool) expect(await promtool(['check', 'metrics'], text)).toEqual({ code: 0, said: '' });

  // While it stops it is not ready, and can still be scraped.
  vi.useFakeTimers({ fakeNodeBuiltins: true, toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = service().close();
  expect((await fetch(`${metricsUrl}/health/ready`)).status).toBe(503);
  expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(200);
  await vi.advanceTimersByTimeAsync(DELAY_MS);
  vi.useRealTimers();
  await closed;
  await expect(fetch(`${metricsUrl}/health/live`)).rejects.toThrow();
});
