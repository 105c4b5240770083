import { randomBytes, randomInt } from 'node:crypto';
import fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConsumer } from '../../consumer/src/consumer.ts';
import { createMemoryStore } from '../../consumer/src/memory-store.ts';
import { findPorts } from '../../proving/faults/fixture/ports.ts';
import { createTestAnnouncement } from '../../src/destinations/announcements/cloud-event.ts';
import { canRun, installConsumer, type RunningExample, startExample } from '../consumer/installed-consumer.ts';
import { destinationOf } from '../support/make.ts';
import { orderLifecycle } from '../support/order-lifecycle.ts';
import { useSystem } from '../support/shared-system.ts';
import type { SystemTenant } from '../support/system.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

const examples = [
  'express-server.ts',
  'fastify-server.ts',
  'server.py',
  'library-server.py',
  'server.php',
  'go/server.go',
].map((file) => ({ file, runs: canRun(file) }));

/** Destinations of the tenants: an example each, and a consumer whose handler fails. */
const destinations = (await findPorts(examples.length + 1, randomInt)).map((port, index) => ({
  file: examples[index]?.file,
  port,
  secret: newSecret(),
}));

const shared = useSystem({
  tenants: destinations.map(({ port, secret }) => ({
    settings: {
      destinations: [destinationOf({ secret: [secret], url: `http://127.0.0.1:${port}/announcements` })],
    },
  })),
});

let installed: Awaited<ReturnType<typeof installConsumer>>;
beforeAll(async () => {
  installed = await installConsumer();
});
afterAll(() => installed?.remove());

/** Posts a body as Dockline does, signed by the library of Standard Webhooks; returns the status. */
async function post(
  { url }: RunningExample,
  secret: string,
  body: string,
  { id = JSON.parse(body).id, now = new Date() }: { readonly id?: string; readonly now?: Date } = {},
): Promise<number> {
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

/** Returns the tenant whose destination is the example, or else the consumer. */
function tenantOf(example?: string) {
  const { service, tenants } = shared();
  const index = destinations.findIndex(({ file }) => file === example);
  const { port, secret } = destinations[index] as (typeof destinations)[number];
  const { tenant, simulated, workflowId } = tenants[index] as SystemTenant;
  const sentOf = (orderId: string) =>
    service()
      .store.db.selectFrom('announcements')
      .select(['id', 'body'])
      .where('id', 'like', `${workflowId(orderId)}/%`)
      .orderBy('revision')
      .execute();
  const recordOf = async (orderId: string) => {
    const answer = await fetch(`${service().admin.url}/subjects/${tenant}/order/${orderId}`);
    return await answer.text();
  };
  return { port, secret, simulator: simulated, sentOf, recordOf };
}

describe.each(examples)('the example $file', ({ file, runs }) => {
  it.skipIf(!runs)('takes each announcement of an order once and in order', async () => {
    const { port, secret, simulator, sentOf } = tenantOf(file);
    const example = await startExample(installed.path, file, secret, port);
    const orderId = simulator.createOrder();
    for (const name of orderLifecycle) await simulator.emit(orderId, name);
    await expect.poll(() => example.taken().at(-1)).toMatch(/confirmed$/);
    const sent = await sentOf(orderId);
    const ids = sent.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(orderLifecycle.length);
    expect(example.taken()).toEqual(ids);

    const [first, ...others] = sent.map(({ body }) => Buffer.from(body).toString());
    for (const body of [first ?? '', ...others]) expect(await post(example, secret, body)).toBe(204);
    const skipping = (others.at(-1) ?? '')
      .replace(/"sequence":"\d+"/, '"sequence":"90"')
      .replace(/"revision":\d+/, '"revision":90')
      .replace('"data":{', '"data":{"previous":89,');
    expect(await post(example, secret, skipping)).toBe(425);
    expect(await post(example, secret, skipping, { id: 'another' })).toBe(401);
    expect(await post(example, secret, first ?? '', { now: new Date(Date.now() - 400_000) })).toBe(401);
    expect(await post(example, secret, createTestAnnouncement('9104').body)).toBe(204);
    expect(example.taken()).toEqual(ids);
  });

  it.skipIf(!runs)('refuses a wrong secret with 401, and takes everything once it has the right one', async () => {
    const { port, secret, simulator, sentOf, recordOf } = tenantOf(file);
    const example = await startExample(installed.path, file, newSecret(), port);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => recordOf(orderId)).toContain('answered 401');
    expect(example.taken()).toEqual([]);

    await example.stop();
    const corrected = await startExample(installed.path, file, secret, port);
    await expect.poll(() => corrected.taken()).toHaveLength(2);
    expect(corrected.taken()).toEqual((await sentOf(orderId)).map(({ id }) => id));
  });
});

describe('a consumer whose handler fails, and whose answers are lost', () => {
  it('takes each announcement once and in order, since Dockline sends again what was early', async () => {
    const { port, secret, simulator, sentOf } = tenantOf();
    const taken: string[] = [];
    const outcomes: string[] = [];
    // From the fourth attempt after the inline one on, Dockline tries the announcement behind the one that fails.
    let failures = 5;
    const consumer = createConsumer({
      secrets: [secret],
      store: createMemoryStore(),
      handle({ id, sequence }) {
        if (Number(sequence) === 2 && failures-- > 0) throw new Error('the handler fails');
        taken.push(id);
      },
    });
    const app = fastify({ forceCloseConnections: true });
    onTestFinished(() => app.close());
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    app.post<{ Body: Buffer }>('/announcements', async (request, reply) => {
      const { status, outcome } = await consumer.receive(request.headers, request.body);
      outcomes.push(outcome);
      // The answer to the first that was taken does not arrive.
      if (outcomes.length === 1) request.raw.socket.destroy();
      return reply.code(status).send();
    });
    await app.listen({ port, host: '127.0.0.1' });
    const orderId = simulator.createOrder();
    // One event, so that everything before it is inferred and announced together with it.
    for (const name of orderLifecycle) {
      await simulator.emit(orderId, name, { deliver: name === orderLifecycle.at(-1) });
    }
    await expect.poll(() => taken.at(-1)).toMatch(/confirmed$/);
    expect(taken).toEqual((await sentOf(orderId)).map(({ id }) => id));
    expect(new Set(outcomes)).toEqual(new Set(['taken', 'duplicate', 'early']));
  });
});
