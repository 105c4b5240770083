import { describe, expect, it } from 'vitest';
import type { SubjectView } from '../../workflows/messages.ts';
import { useSystem } from '../support/shared-system.ts';
import { startSystem } from '../support/system.ts';

const shared = useSystem({ env: { WAREHOUSE_READ_LAG_MS: '500' } });

describe('while the warehouse misbehaves', () => {
  it('a revoked token is renewed once', async () => {
    const { simulator, announced } = shared();
    const tokens = () => simulator.counts().calls.token ?? 0;
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId)).toEqual(['1/created']);
    const before = tokens();
    simulator.revokeTokens();
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/fullyAllocated']);
    expect(tokens()).toBe(before + 1);
  });

  it('the Retry-After of a 429 is waited out', async () => {
    const { simulator, announced } = shared();
    const calls = () => simulator.counts().calls.getOrder ?? 0;
    const before = calls();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    simulator.setFaults({ rateLimitRate: 1, retryAfterSeconds: 2 });
    const startedAt = Date.now();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(calls).toBeGreaterThan(before);
    simulator.setFaults({ rateLimitRate: 0 });
    await expect.poll(() => announced(orderId)).toContain('2/created');
    // Temporal's own first backoff is one second.
    const repeated = calls() - before - 1;
    expect(repeated).toBeGreaterThan(0);
    expect(Date.now() - startedAt).toBeGreaterThan(2000 * repeated);
  });

  it('a 403 keeps the order waiting until the role is granted', async () => {
    const { simulator, announced, service, workflowId } = shared();
    simulator.setFaults({ forbidden: ['getOrder'] });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    const lastFailure = async () => (await workflow.describe()).raw.pendingActivities?.[0]?.lastFailure;
    await expect.poll(async () => (await lastFailure())?.applicationFailureInfo?.type).toBe('ERR_WAREHOUSE_FORBIDDEN');
    expect((await lastFailure())?.message).toContain(`GET /orders/${orderId} answered 403`);
    expect(announced(orderId)).toEqual([]);
    simulator.setFaults({ forbidden: [] });
    await expect.poll(() => announced(orderId)).toEqual(['1/created']);
  });

  it('a 404 marks the order for attention, and its events are still announced', async () => {
    const { simulator, announced, view } = shared();
    const orderId = simulator.createOrder();
    const created = await simulator.emit(orderId, 'OrderCreate', { deliver: false });
    await simulator.emit(orderId, 'OrderDeleted', { deliver: false });
    await simulator.deliver(created);
    await expect.poll(() => announced(orderId)).toEqual(['1/created']);
    await expect.poll(() => view(orderId)).toMatchObject({ stage: 'created', attention: ['refused'] });
  });

  it('errors and slow answers of all kinds delay announcements but lose none', async () => {
    const { simulator, announced, receiver } = await startSystem({
      simulator: {
        faults: { errorRate: 0.1, rateLimitRate: 0.1, retryAfterSeconds: null, latencyMs: 50, tokenToo: true },
      },
    });
    await simulator.play({ orders: 6, scenarios: ['straight'] });
    expect(simulator.counts().undelivered).toBe(0);
    const expected = simulator.truth().flatMap(({ events }) => events).length;
    await expect.poll(() => receiver.tally().received).toBe(expected);
    for (const { id, events } of simulator.truth()) {
      // A webhook is sent again, after later ones, if the public key could not be fetched.
      expect(
        announced(id)
          .map((text) => text.replace(/^\d+\/| late$| inferred$/g, ''))
          .sort(),
      ).toEqual(events.map(({ milestone }) => milestone).sort());
    }
  });
});

describe('an order', () => {
  const own = ['418:created=3600000', '418:fullyAllocated=300', '419:fullyAllocated=7200000'];
  const limits = ['created=500', 'fullyAllocated=3600000', ...own].join();
  const limited = useSystem({ env: { ORDER_STAGE_LIMITS: limits } });

  it('that stays too long in a stage is announced as stalled, and as resumed when it moves on', async () => {
    const { simulator, announced, view } = limited();
    const orderId = simulator.createOrder({ customerId: 420 });
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/stalled']);
    await expect.poll(() => view(orderId)).toMatchObject({ stage: 'created', attention: ['stalled'] });
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/stalled', '3/fullyAllocated', '4/resumed']);
    await expect.poll(async () => (await view(orderId)).attention).toEqual([]);
  });

  it('that waited before there was a limit is announced as stalled once there is one, without an event', async () => {
    const { simulator, announced, restart, view } = await startSystem({ env: { REDISPATCH_AFTER_MS: '200' } });
    const waiting = simulator.createOrder({ customerId: 420 });
    const own = simulator.createOrder({ customerId: 418 });
    for (const id of [waiting, own]) await simulator.emit(id, 'OrderCreate');
    for (const id of [waiting, own]) await expect.poll(() => announced(id)).toEqual(['1/created']);
    await restart({ ORDER_STAGE_LIMITS: 'created=500,418:created=86400000' });
    await expect.poll(() => announced(waiting)).toEqual(['1/created', '2/stalled']);
    expect((await view(waiting)).attention).toEqual(['stalled']);
    expect(announced(own)).toEqual(['1/created']);
  });

  it('of a customer with its own limit is measured by that', async () => {
    const { simulator, announced } = limited();
    const hurried = simulator.createOrder({ customerId: 418 });
    const patient = simulator.createOrder({ customerId: 419 });
    for (const id of [patient, hurried]) await simulator.emit(id, 'OrderFullyAllocated');
    const moved = ['1/created inferred', '2/fullyAllocated'];
    await expect.poll(() => announced(hurried)).toEqual([...moved, '3/stalled']);
    await expect.poll(() => announced(patient)).toEqual(moved);
  });

  it('is marked as stalled even while its GET is being retried', async () => {
    const { simulator, view } = limited();
    const orderId = simulator.createOrder({ customerId: 420 });
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    simulator.setFaults({ forbidden: ['getOrder'] });
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(async () => (await view(orderId)).attention).toEqual(['stalled']);
    simulator.setFaults({ forbidden: [] });
    await expect.poll(async () => (await view(orderId)).stage).toBe('fullyAllocated');
  });

  it('is retrieved again on request, and keeps its mark until it is released', async () => {
    const { simulator, view, service, workflowId, announced } = limited();
    const orderId = simulator.createOrder({ customerId: 418 });
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId)).toEqual(['1/created']);
    await simulator.emit(orderId, 'OrderFullyAllocated', { deliver: false });
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    await workflow.executeUpdate('refresh');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/fullyAllocated inferred']);
    await expect.poll(async () => (await view(orderId)).attention).toEqual(['stalled']);
    const released = await workflow.executeUpdate<SubjectView, []>('release');
    expect(released).toMatchObject({ stage: 'fullyAllocated', attention: [] });
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    await expect.poll(() => announced(orderId).slice(2)).toEqual(['3/stalled', '4/pickerAssigned']);
  });
});

describe('a destination that is down', () => {
  it('does not hold up the lifecycle, and loses nothing', async () => {
    const { simulator, receiver, announced, view } = shared();
    receiver.setAnswer(503);
    const orderId = simulator.createOrder();
    for (const name of ['OrderCreate', 'OrderFullyAllocated', 'OrderConfirm'] as const)
      await simulator.emit(orderId, name);
    await expect.poll(async () => (await view(orderId)).stage).toBe('confirmed');
    await expect.poll(async () => (await view(orderId)).waiting.announcements).toBe(3);
    expect(announced(orderId)).toEqual([]);
    receiver.setAnswer(204);
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/fullyAllocated', '3/confirmed']);
  });
});
