import { expect, it } from 'vitest';
import type { Simulator } from '../../sandbox/simulator/simulator.ts';
import { everyWebhookRecord } from '../../sandbox/simulator/webhooks/record.ts';
import { findPort } from '../../sandbox/temporal-server/port.ts';
import { openOutput } from '../../src/cli/output.ts';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { rows } from '../../tools/dashboard/layout.ts';
import { describeOnPostgres } from '../store/databases.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { openProxy } from '../support/proxy.ts';
import { start } from './running-command.ts';
import { openSurroundings, untilWritten } from './surroundings.ts';

const temporalMetricsShown = rows
  .flatMap(({ panels }) => panels.map(({ metric }) => metric))
  .filter((name) => name.startsWith('temporal_'));

describeOnPostgres('several processes', (database) => {
  it('follow a webhook in one trace, and accept, dispatch and announce every event once, although each is delivered to two and one of them is killed', async () => {
    const { simulator, receiver, env } = await openSurroundings();
    const collector = await startOtlpReceiver();
    await database.locate();
    const temporalMetrics = await findPort(0, '');
    const startRole = (role: string, settings: Readonly<Record<string, string>> = {}) =>
      start(['--role', role], {
        ...env,
        DATABASE_URL: database.url,
        TEMPORAL_ACTIVITIES: 'regular',
        ...settings,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        OTEL_SERVICE_NAME: role,
      });
    const worker = await startRole('worker', {
      METRICS_PORT: '0',
      TEMPORAL_METRICS_PORT: String(temporalMetrics),
    });
    const dispatchers = [await startRole('dispatcher'), await startRole('dispatcher')];
    const webhooks = [await startRole('webhook'), await startRole('webhook')];
    const addresses = await Promise.all(webhooks.map((it) => untilWritten(it, /webhook +(\S+)/)));
    await Promise.all([worker, ...dispatchers].map((it) => untilWritten(it, /(worker|dispatcher)/)));

    simulator.setWebhooks(everyWebhookRecord(addresses[0] ?? ''));
    await simulator.emit(simulator.createOrder(), 'OrderFullyAllocated');
    await expectOneTrace(collector);
    const announcedBefore = receiver.tally().received;
    const emittedBefore = countEvents(simulator);

    simulator.setWebhooks(addresses.flatMap((address) => everyWebhookRecord(address)));
    const played = simulator.play({ orders: 12, receipts: 3 });
    await expect.poll(() => receiver.tally().received).toBeGreaterThan(announcedBefore + 10);
    dispatchers[0]?.child.kill('SIGKILL');
    await played;
    await expect
      .poll(() => receiver.tally())
      .toEqual({
        received: announcedBefore + countEvents(simulator) - emittedBefore,
        duplicates: 0,
        outOfOrder: 0,
      });
    const url = new URL(await untilWritten(worker, /metrics +(\S+)/)).origin;
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^dockline_store_up 1$/m);
    const ofSdk = await (await fetch(`http://127.0.0.1:${temporalMetrics}/metrics`)).text();
    for (const name of ['temporal_num_pollers', ...temporalMetricsShown]) expect(ofSdk).toContain(`# TYPE ${name} `);

    for (const process of [...webhooks, dispatchers[1], worker]) process?.child.kill('SIGTERM');
    for (const process of [...webhooks, dispatchers[1], worker]) expect(await process?.ended).toBe(0);
  });
});

const countEvents = ({ truth }: Simulator): number => truth().flatMap(({ events }) => events).length;

/** Waits for the two announcements of a webhook, and compares its spans with the roles of the processes. */
async function expectOneTrace(collector: Awaited<ReturnType<typeof startOtlpReceiver>>): Promise<void> {
  const received = () => collector.spans().filter(({ name }) => name.startsWith('POST'));
  await expect.poll(received).not.toHaveLength(0);
  const inTrace = () => collector.spans().filter(({ traceId }) => traceId === received()[0]?.traceId);
  await expect.poll(() => inTrace().filter(({ name }) => name === 'announce')).toHaveLength(2);
  const services = new Map(inTrace().map(({ name, service }) => [name, service]));
  expect(Object.fromEntries(services)).toMatchObject({
    'POST /webhooks/:endpoint': 'webhook',
    'dispatch order': 'dispatcher',
    'retrieve order': 'worker',
    'GET getOrder': 'worker',
    'record order': 'worker',
    announce: 'worker',
  });
  const ids = new Set(inTrace().map(({ spanId }) => spanId));
  expect(inTrace().filter(({ parentId }) => !ids.has(parentId))).toMatchObject([{ name: 'POST /webhooks/:endpoint' }]);
}

describeOnPostgres('a process with the role worker', (database) => {
  it('is live and not ready before its workers poll, and ends when it is told to', async () => {
    const { env } = await openSurroundings();
    await database.locate();
    const [host = '', port] = env.TEMPORAL_ADDRESS.split(':');
    const temporal = await openProxy(host, Number(port));
    await temporal.cut();
    const worker = await start(['--role', 'worker'], {
      ...env,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      DATABASE_URL: database.url,
      METRICS_PORT: '0',
    });
    const url = new URL(await untilWritten(worker, /metrics +(\S+)/)).origin;
    const health = async (name: string) => (await fetch(`${url}/health/${name}`)).status;
    await expect.poll(() => worker.written.stderr).toContain('the workers wait for Temporal');
    expect(await health('live')).toBe(200);
    expect(await health('ready')).toBe(503);
    await temporal.mend();
    await expect.poll(() => health('ready')).toBe(200);

    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });
});

it('a process with some roles only names the settings that it requires', async () => {
  const options = { orders: 1, role: ['worker'] as const };
  await expect(run(loadConfig({}), options, new AbortController().signal, openOutput({}))).rejects.toThrow(
    /^--role requires DATABASE_URL \(SQLite serves one process only\), TEMPORAL_ADDRESS, WAREHOUSE_BASE_URL or warehouses in CONFIG_FILE$/,
  );
});
