import { expect, it } from 'vitest';
import { callsTo } from '../admin/open-admin.ts';
import { runAdmin } from '../cli/running-command.ts';
import { startSystem } from '../support/system.ts';

it('a first GET that fails is visible with its reason while nothing else is known of the order', async () => {
  const { simulator, service, workflowId, announced } = await startSystem();
  simulator.setFaults({ forbidden: ['getOrder'] });
  const { get } = callsTo(service().admin.url);
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  const tenant = workflowId(orderId).split(':')[1];

  await expect
    .poll(async () => (await get('/status')).body)
    .toMatchObject({
      inbox: { waiting: 1, oldestReceivedAt: expect.any(String) },
      failing: [
        { tenant, operation: 'getOrder', subjects: 1, error: expect.stringMatching(/GET \/orders\/\d+ answered 403/) },
      ],
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

  simulator.setFaults({ forbidden: [] });
  await expect
    .poll(async () => (await get('/status')).body)
    .toMatchObject({ inbox: { waiting: 0 }, failing: [], attention: { failing: 0 } });
  await expect.poll(() => announced(orderId)).toEqual(['1/created']);
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
