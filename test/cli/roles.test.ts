import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { everyWebhookRecord } from '../../src/sandbox/simulator/webhooks/record.ts';
import { findPort } from '../../src/sandbox/temporal-server/port.ts';
import { rows } from '../deploy/grafana/layout.ts';
import { describeOnPostgres } from '../store/databases.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { start } from './running-command.ts';
import { openSurroundings, untilWritten } from './surroundings.ts';

const temporalMetricsShown = rows
  .flatMap(({ panels }) => panels.map(({ metric }) => metric))
  .filter((name) => name.startsWith('temporal_'));

describeOnPostgres('several processes', (database) => {
  it('accept, dispatch and announce every event once, although each is delivered to two and one of them is killed', async () => {
    const { simulator, receiver, env } = await openSurroundings();
    await database.locate();
    const shared = { ...env, DATABASE_URL: database.url };
    const temporalMetrics = String(await findPort(0, ''));
    const worker = await start(['--role', 'worker'], { ...shared, TEMPORAL_METRICS_PORT: temporalMetrics });
    const dispatchers = [await start(['--role', 'dispatcher'], shared), await start(['--role', 'dispatcher'], shared)];
    const webhooks = [await start(['--role', 'webhook'], shared), await start(['--role', 'webhook'], shared)];
    const addresses = await Promise.all(webhooks.map((it) => untilWritten(it, /webhook +(\S+)/)));
    await Promise.all([worker, ...dispatchers].map((it) => untilWritten(it, /(worker|dispatcher)/)));

    simulator.setWebhooks(addresses.flatMap((address) => everyWebhookRecord(address)));
    const played = simulator.play({ orders: 12, receipts: 3 });
    await expect.poll(() => receiver.tally().received, { timeout: 40_000 }).toBeGreaterThan(10);
    dispatchers[0]?.child.kill('SIGKILL');
    await played;
    const expected = simulator.truth().flatMap(({ events }) => events).length;
    await expect
      .poll(() => receiver.tally(), { timeout: 50_000 })
      .toEqual({ received: expected, duplicates: 0, outOfOrder: 0 });
    const ofSdk = await (await fetch(`http://127.0.0.1:${temporalMetrics}/metrics`)).text();
    for (const name of temporalMetricsShown) expect(ofSdk).toContain(`# TYPE ${name} `);

    for (const process of [...webhooks, dispatchers[1], worker]) process?.child.kill('SIGTERM');
    for (const process of [...webhooks, dispatchers[1], worker]) expect(await process?.ended).toBe(0);
  }, 150_000);
});

describeOnPostgres('a process with the role worker', (database) => {
  it('is ready once its workers poll, and serves its own metrics and those of the SDK', async () => {
    const { env } = await openSurroundings();
    await database.locate();
    const temporalMetrics = await findPort(0, '');
    const worker = await start(['--role', 'worker'], {
      ...{ ...env, DATABASE_URL: database.url, METRICS_PORT: '0', TEMPORAL_METRICS_PORT: String(temporalMetrics) },
    });
    const url = new URL(await untilWritten(worker, /metrics +(\S+)/)).origin;
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).status, { timeout: 30_000 }).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^dockline_store_up 1$/m);
    const ofSdk = async () => await (await fetch(`http://127.0.0.1:${temporalMetrics}/metrics`)).text();
    await expect.poll(ofSdk, { timeout: 10_000 }).toContain('temporal_num_pollers');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  }, 90_000);

  it.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'])(
    'sends its own metrics and those of the SDK to the collector of %s, and ends although that hangs',
    async (variable) => {
      const { env } = await openSurroundings();
      await database.locate();
      const collector = await startOtlpReceiver();
      const path = variable.includes('METRICS') ? '/v1/metrics' : '';
      const worker = await start(['--role', 'worker'], {
        ...{ ...env, DATABASE_URL: database.url, [variable]: `${collector.endpoint}${path}` },
        ...{ OTEL_METRICS_EXPORTER: 'otlp', OTEL_METRIC_EXPORT_INTERVAL: '500' },
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-this-test',
      });
      // The collector shows what came last, which is of one of them.
      const names = () => collector.metrics().map(({ name }) => name);
      await expect.poll(names, { timeout: 30_000 }).toContain('dockline_store_up');
      await expect.poll(names, { timeout: 30_000 }).toContain('temporal_num_pollers');
      expect(collector.paths()).toEqual(new Set(['/v1/metrics']));
      collector.setAnswer(503);
      await pause(2000);
      expect(
        worker.written.stderr.split('\n').filter((line) => line.includes('metrics cannot be exported')),
      ).toHaveLength(1);
      collector.setAnswer(0);
      const stoppedAt = performance.now();
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toBe(0);
      expect(performance.now() - stoppedAt).toBeLessThan(20_000);
    },
    60_000,
  );

  it('is live but not ready while Temporal does not answer', async () => {
    const { env } = await openSurroundings();
    await database.locate();
    const nowhere = { TEMPORAL_ADDRESS: `127.0.0.1:${await findPort(0, '')}` };
    const worker = await start(['--role', 'worker'], {
      ...{ ...env, DATABASE_URL: database.url, METRICS_PORT: '0', ...nowhere },
    });
    const url = new URL(await untilWritten(worker, /metrics +(\S+)/)).origin;
    await expect.poll(() => worker.written.stderr, { timeout: 30_000 }).toContain('the workers wait for Temporal');
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(503);
  }, 60_000);
});

it('a process with some roles only names the settings that it requires', async () => {
  const { written, ended } = await start(['--role', 'worker']);
  expect(await ended).toBe(1);
  expect(written.stderr).toBe(
    'dockline: --role requires DATABASE_URL (SQLite serves one process only), TEMPORAL_ADDRESS, WAREHOUSE_BASE_URL or WAREHOUSES_FILE\n',
  );
});

it('an unknown role is rejected', async () => {
  const { written, ended } = await start(['--role', 'manager']);
  expect(await ended).toBe(2);
  expect(written.stderr).toBe(
    "dockline: option '--role <role...>' argument 'manager' is invalid. Allowed choices are webhook, dispatcher, worker, admin.\n",
  );
});
