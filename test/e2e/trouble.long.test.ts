import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Simulator } from '../../sandbox/simulator/simulator.ts';
import { callsTo } from '../admin/open-admin.ts';
import { runAdmin } from '../cli/running-command.ts';
import { destinationOf } from '../support/make.ts';
import { useSystem } from '../support/shared-system.ts';
import { startSystem } from '../support/system.ts';

const SECRET = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`;

/** Everything is visible within ten seconds. */

/** Makes Dockline fetch the public key, which the warehouse serves too. */
async function fetchKey(simulator: Simulator): Promise<void> {
  await simulator.emit(simulator.createOrder(), 'OrderPickJobUserAssigned');
}

const shared = useSystem({ env: { WAREHOUSE_TIMEOUT_MS: '1500' } });

describe('a first GET that fails', () => {
  it.each([
    ['is forbidden', { forbidden: ['getOrder' as const] }, /GET \/orders\/\d+ answered 403/],
    ['finds the warehouse down', { down: true }, /answered 503|failed/],
    ['is never answered', { latencyMs: 3_600_000 }, /./],
  ])('because it %s is visible with its reason while nothing else is known of the order', async (_, faults, error) => {
    const { simulator, service, workflowId, announced } = shared();
    await fetchKey(simulator);
    simulator.setFaults(faults);
    const { get } = callsTo(service().admin.url);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const tenant = workflowId(orderId).split(':')[1];

    await expect
      .poll(async () => (await get('/status')).body)
      .toMatchObject({
        inbox: { waiting: 1, oldestReceivedAt: expect.any(String) },
        failing: [{ tenant, operation: 'getOrder', subjects: 1, error: expect.stringMatching(error) }],
        attention: { failing: 1 },
      });
    expect((await get('/subjects?attention=failing')).body.items).toMatchObject([
      { id: orderId, attention: ['failing'] },
    ]);
    expect((await get(`/subjects/${tenant}/order/${orderId}`)).body).toMatchObject({
      revision: 0,
      retrieving: { operation: 'getOrder', attempts: expect.any(Number), nextTryAt: expect.any(String) },
    });
    const { stdout } = await runAdmin(['show', 'order', orderId], { ADMIN_URL: service().admin.url });
    expect(stdout).toMatch(/getOrder/);
    expect((await fetch(new URL('/health/ready', service().webhook.url))).status).toBe(200);

    simulator.setFaults({ forbidden: [], down: false, latencyMs: 0 });
    await expect
      .poll(async () => (await get('/status')).body)
      .toMatchObject({ inbox: { waiting: 0 }, failing: [], attention: { failing: 0 } });
    await expect.poll(() => announced(orderId)).toEqual(['1/created']);
  });

  it('because the secret is wrong is visible as a 401', async () => {
    const { simulator, service, announced } = shared();
    const { get } = callsTo(service().admin.url);
    await fetchKey(simulator);
    simulator.setFaults({ unauthenticated: true });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect
      .poll(async () => (await get('/status')).body.failing)
      .toMatchObject([{ operation: 'getOrder', error: expect.stringMatching(/401/) }]);
    simulator.setFaults({ unauthenticated: false });
    await expect.poll(() => announced(orderId)).toEqual(['1/created']);
    await expect
      .poll(async () => (await get('/status')).body)
      .toMatchObject({ inbox: { waiting: 0 }, announcements: { unsent: 0 } });
  });
});

describe('an announcement that fails', () => {
  it('is visible with its reason before it is given up', async () => {
    const { simulator, receiver, service } = shared();
    const { get } = callsTo(service().admin.url);
    receiver.setAnswer(503);
    await simulator.emit(simulator.createOrder(), 'OrderCreate');
    await expect
      .poll(async () => (await get('/status')).body)
      .toMatchObject({
        failing: [{ operation: 'announce', error: expect.stringMatching(/answered 503$/) }],
        announcements: { unsent: 1, deadLettered: 0 },
      });
    expect((await get('/announcements?state=unsent')).body.items).toMatchObject([
      { attempts: expect.any(Number), lastStatus: 503, lastError: expect.stringMatching(/answered 503$/) },
    ]);
    receiver.setAnswer(204);
    await expect.poll(async () => (await get('/status')).body.failing).toEqual([]);
  });

  it('because its destination refuses it does not hold up others, and only it is given up', async () => {
    const refused: string[] = [];
    const taken: string[] = [];
    const destination = createServer((request, response) => {
      const id = String(request.headers['webhook-id']);
      const isRefused = id.endsWith('/2/pickerAssigned');
      (isRefused ? refused : taken).push(id.split('/').slice(1).join('/'));
      request.resume().on('end', () => response.writeHead(isRefused ? 400 : 204).end());
    });
    await new Promise<void>((resolve) => destination.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void destination.close());
    const { port } = destination.address() as AddressInfo;
    const { simulator, view, service } = await startSystem({
      env: { ANNOUNCE_FOR_MS: '3000' },
      tenants: [
        { settings: { destinations: [destinationOf({ url: `http://127.0.0.1:${port}/`, secret: [SECRET] })] } },
      ],
    });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => taken).toEqual(['1/created']);
    for (const name of ['OrderPickJobUserAssigned', 'OrderFullyAllocated', 'OrderConfirm'] as const)
      await simulator.emit(orderId, name);
    await expect.poll(() => taken).toEqual(['1/created', '3/fullyAllocated', '4/confirmed']);
    await expect.poll(async () => (await view(orderId)).attention).toEqual(['unannounced']);
    const { get } = callsTo(service().admin.url);
    const { items } = (await get('/announcements?state=dead-lettered')).body;
    expect(items).toMatchObject([{ revision: 2, deadLetterReason: expect.stringMatching(/answered 400$/) }]);
    expect(refused.length).toBeGreaterThan(1);
  });
});

it('changed settings of a tenant reach a running workflow with the next wake', async () => {
  const { simulator, announced, restart } = await startSystem();
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  await expect.poll(() => announced(orderId)).toEqual(['1/created']);
  await restart({ ORDER_STAGE_LIMITS: 'created=300' });
  expect(announced(orderId)).toEqual(['1/created']);
  await simulator.emit(orderId, 'OrderUpdate');
  // The limit is exceeded immediately, so either may be recorded first.
  const kinds = () =>
    announced(orderId)
      .map((text) => text.replace(/^\d\//, ''))
      .toSorted();
  await expect.poll(kinds).toEqual(['created', 'stalled', 'updated']);
});
