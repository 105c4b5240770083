import { expect, it } from 'vitest';
import { everyWebhookRecord } from '../../src/sandbox/simulator/webhooks/record.ts';
import { describeOnPostgres } from '../store/databases.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { start } from './running-command.ts';
import { openSurroundings, untilWritten } from './surroundings.ts';

describeOnPostgres('a webhook', (database) => {
  it('has one trace from its arrival to its announcement, across the processes of several roles', async () => {
    const { simulator, receiver, env } = await openSurroundings();
    const collector = await startOtlpReceiver();
    await database.locate();
    const startRole = (role: string) =>
      start(['--role', role], {
        ...{ ...env, DATABASE_URL: database.url, TEMPORAL_ACTIVITIES: 'regular' },
        ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: role },
      });
    const [webhook, dispatcher, worker] = [
      await startRole('webhook'),
      await startRole('dispatcher'),
      await startRole('worker'),
    ];
    simulator.setWebhooks(everyWebhookRecord(await untilWritten(webhook, /webhook +(\S+)/)));
    await Promise.all([dispatcher, worker].map((it) => untilWritten(it, /(worker|dispatcher)/)));
    await simulator.emit(simulator.createOrder(), 'OrderFullyAllocated');
    await expect.poll(() => receiver.received().length, { timeout: 60_000 }).toBeGreaterThan(1);

    const [{ traceId } = { traceId: '' }] = await expect
      .poll(() => collector.spans().filter(({ name }) => name.startsWith('POST')), { timeout: 20_000 })
      .not.toHaveLength(0)
      .then(() => collector.spans().filter(({ name }) => name.startsWith('POST')));
    const inTrace = () => collector.spans().filter((span) => span.traceId === traceId);
    await expect.poll(() => inTrace().filter(({ name }) => name === 'announce'), { timeout: 20_000 }).toHaveLength(2);
    const services = new Map(inTrace().map(({ name, service }) => [name, service]));
    expect(Object.fromEntries(services)).toMatchObject({
      ...{ 'POST /webhooks/:endpoint': 'webhook', 'dispatch order': 'dispatcher' },
      ...{ 'retrieve order': 'worker', 'GET getOrder': 'worker', 'record order': 'worker', announce: 'worker' },
    });
    const ids = new Set(inTrace().map(({ spanId }) => spanId));
    expect(inTrace().filter(({ parentId }) => !ids.has(parentId))).toMatchObject([
      { name: 'POST /webhooks/:endpoint' },
    ]);
    for (const process of [webhook, dispatcher, worker]) process.child.kill('SIGTERM');
    for (const process of [webhook, dispatcher, worker]) expect(await process.ended).toBe(0);
  }, 120_000);
});
