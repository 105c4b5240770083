import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installConsumer, type RunningExample, startExample } from '../consumer/installed-consumer.ts';
import { orderLifecycle } from '../support/order-lifecycle.ts';
import { startSystem } from '../support/system.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

let installed: Awaited<ReturnType<typeof installConsumer>>;
beforeAll(async () => {
  installed = await installConsumer();
});
afterAll(() => installed?.remove());

/** Posts a body as Dockline does, signed by the library of Standard Webhooks; returns the status. */
async function post({ url }: RunningExample, secret: string, body: string): Promise<number> {
  const [id, now] = [JSON.parse(body).id, new Date()];
  const { status } = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    },
    body,
  });
  return status;
}

/** Starts Dockline with the example as its destination. */
async function startWith(example: RunningExample, secret: string) {
  const system = await startSystem({ tenants: [{ settings: { destination: { url: example.url, secret } } }] });
  const { service, simulator, tenants, workflowId } = system;
  const sentOf = (orderId: string) =>
    service()
      .store.db.selectFrom('announcements')
      .select(['id', 'body'])
      .where('id', 'like', `${workflowId(orderId)}/%`)
      .orderBy('revision')
      .execute();
  const recordOf = async (orderId: string) => {
    const answer = await fetch(`${service().admin.url}/subjects/${tenants[0]?.tenant}/order/${orderId}`);
    return await answer.text();
  };
  return { simulator, sentOf, recordOf };
}

describe.each([
  ['express-server.ts', true],
  ['fastify-server.ts', true],
  ['server.py', hasPython],
])('the example %s', (file, canRun) => {
  it.skipIf(!canRun)('takes each announcement of an order once and in order', async () => {
    const secret = newSecret();
    const example = await startExample(installed.path, file, secret);
    const { simulator, sentOf } = await startWith(example, secret);
    const orderId = simulator.createOrder();
    for (const name of orderLifecycle) await simulator.emit(orderId, name);
    await expect.poll(() => example.taken().at(-1), { timeout: 30_000 }).toMatch(/confirmed$/);
    const sent = await sentOf(orderId);
    const ids = sent.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(orderLifecycle.length);
    expect(example.taken()).toEqual(ids);

    const [first, ...others] = sent.map(({ body }) => Buffer.from(body).toString());
    for (const body of [first ?? '', ...others]) expect(await post(example, secret, body)).toBe(204);
    const skipping = (others.at(-1) ?? '').replace(/"sequence":"\d+"/, '"sequence":"90"');
    expect(await post(example, secret, skipping)).toBe(425);
    expect(example.taken()).toEqual(ids);
  });

  it.skipIf(!canRun)('refuses a wrong secret with 401, and takes everything once it has the right one', async () => {
    const [secret, wrong] = [newSecret(), newSecret()];
    const example = await startExample(installed.path, file, wrong);
    const { simulator, sentOf, recordOf } = await startWith(example, secret);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => recordOf(orderId), { timeout: 30_000 }).toContain('answered 401');
    expect(example.taken()).toEqual([]);

    await example.stop();
    const corrected = await startExample(installed.path, file, secret, Number(new URL(example.url).port));
    await expect.poll(() => corrected.taken(), { timeout: 30_000 }).toHaveLength(2);
    expect(corrected.taken()).toEqual((await sentOf(orderId)).map(({ id }) => id));
  });
});
