import { describe, expect, it } from 'vitest';
import type { SubjectView } from '../../workflows/messages.ts';
import { startSystem } from '../support/system.ts';

describe('while the warehouse misbehaves', () => {
  it('a token that ends midway is renewed, once for each end', async () => {
    const { simulator, announced } = await startSystem();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created']);
    simulator.revokeTokens();
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created', '2/fullyAllocated']);
    expect(simulator.counts().calls.token).toBe(2);
  });

  it('a 429 is waited out as long as it says', async () => {
    const { simulator, announced } = await startSystem();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    simulator.setFaults({ rateLimitRate: 1, retryAfterSeconds: 3 });
    const startedAt = Date.now();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => simulator.counts().calls.getOrder ?? 0, { timeout: 20_000 }).toBe(1);
    simulator.setFaults({ rateLimitRate: 0 });
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toContain('2/created');
    // Temporal's own first pause is one second.
    expect(Date.now() - startedAt).toBeGreaterThan(3000);
    expect(simulator.counts().calls.getOrder).toBe(2);
  });

  it('a 403 keeps the order waiting until the role is granted', async () => {
    const { simulator, announced, service, workflowId } = await startSystem({
      simulator: { faults: { forbidden: ['getOrder'] } },
    });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    const lastFailure = async () => (await workflow.describe()).raw.pendingActivities?.[0]?.lastFailure;
    await expect
      .poll(async () => (await lastFailure())?.applicationFailureInfo?.type, { timeout: 20_000 })
      .toBe('ERR_WAREHOUSE_FORBIDDEN');
    expect((await lastFailure())?.message).toContain(`GET /orders/${orderId} answered 403`);
    expect(announced(orderId)).toEqual([]);
    simulator.setFaults({ forbidden: [] });
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created']);
  });

  it('a 404 marks the order for attention, and its events are announced all the same', async () => {
    const { simulator, announced, view } = await startSystem();
    const orderId = simulator.createOrder();
    const created = await simulator.emit(orderId, 'OrderCreate', { deliver: false });
    await simulator.emit(orderId, 'OrderDeleted', { deliver: false });
    await simulator.deliver(created);
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created']);
    expect(await view(orderId)).toMatchObject({ stage: 'created', attention: ['refused'] });
  });

  it('errors and slowness of all kinds delay announcements and lose none', async () => {
    const { simulator, announced, receiver } = await startSystem({
      simulator: {
        faults: { errorRate: 0.1, rateLimitRate: 0.1, retryAfterSeconds: null, latencyMs: 50, tokenToo: true },
      },
    });
    await simulator.play({ orders: 6, scenarios: ['straight'] });
    expect(simulator.counts().undelivered).toBe(0);
    const expected = simulator.truth().flatMap(({ events }) => events).length;
    await expect.poll(() => receiver.tally().received, { timeout: 50_000 }).toBe(expected);
    for (const { id, events } of simulator.truth()) {
      // A webhook that the public key could not be fetched for comes again, behind later ones.
      expect(
        announced(id)
          .map((text) => text.replace(/^\d+\/| late$| inferred$/g, ''))
          .sort(),
      ).toEqual(events.map(({ milestone }) => milestone).sort());
    }
  });
});

describe('an order', () => {
  it('that stays too long in a stage is announced as stalled, and as resumed when it moves', async () => {
    const { simulator, announced, view } = await startSystem({ env: { ORDER_STAGE_LIMITS: 'created=500' } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created', '2/stalled']);
    expect(await view(orderId)).toMatchObject({ stage: 'created', attention: ['stalled'] });
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect
      .poll(() => announced(orderId), { timeout: 20_000 })
      .toEqual(['1/created', '2/stalled', '3/fullyAllocated', '4/resumed']);
    expect((await view(orderId)).attention).toEqual([]);
  });

  it('of a customer with a limit of its own is measured by that', async () => {
    const limits = 'created=3600000,418:created=300,419:created=7200000';
    const { simulator, announced } = await startSystem({ env: { ORDER_STAGE_LIMITS: limits } });
    const hurried = simulator.createOrder({ customerId: 418 });
    const patient = simulator.createOrder({ customerId: 419 });
    for (const id of [patient, hurried]) await simulator.emit(id, 'OrderCreate');
    await expect.poll(() => announced(hurried), { timeout: 20_000 }).toEqual(['1/created', '2/stalled']);
    await expect.poll(() => announced(patient), { timeout: 20_000 }).toEqual(['1/created']);
  });

  it('is marked as stalled also while its GET is being retried', async () => {
    const { simulator, view } = await startSystem({ env: { ORDER_STAGE_LIMITS: 'created=500' } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    simulator.setFaults({ down: true });
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(async () => (await view(orderId)).attention, { timeout: 20_000 }).toEqual(['stalled']);
    simulator.setFaults({ down: false });
    await expect.poll(async () => (await view(orderId)).stage, { timeout: 30_000 }).toBe('fullyAllocated');
  });

  it('is fetched again when a tenant asks, and keeps its mark until one releases it', async () => {
    const { simulator, view, service, workflowId, announced } = await startSystem({
      env: { ORDER_STAGE_LIMITS: 'fullyAllocated=300' },
    });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created']);
    await simulator.emit(orderId, 'OrderFullyAllocated', { deliver: false });
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    await workflow.executeUpdate('refresh');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/fullyAllocated inferred']);
    await expect.poll(async () => (await view(orderId)).attention, { timeout: 20_000 }).toEqual(['stalled']);
    const released = await workflow.executeUpdate<SubjectView, []>('release');
    expect(released).toMatchObject({ stage: 'fullyAllocated', attention: [] });
    await expect.poll(() => announced(orderId).slice(2), { timeout: 20_000 }).toEqual(['3/stalled', '4/resumed']);
  });
});

describe('a destination that is down', () => {
  it('holds back neither the lifecycle nor anything for good', async () => {
    const { simulator, receiver, announced, view } = await startSystem();
    receiver.setAnswer(503);
    const orderId = simulator.createOrder();
    for (const name of ['OrderCreate', 'OrderFullyAllocated', 'OrderConfirm'] as const)
      await simulator.emit(orderId, name);
    await expect.poll(async () => (await view(orderId)).stage, { timeout: 20_000 }).toBe('confirmed');
    await expect.poll(async () => (await view(orderId)).waiting.announcements).toBe(3);
    expect(announced(orderId)).toEqual([]);
    receiver.setAnswer(204);
    await expect
      .poll(() => announced(orderId), { timeout: 30_000 })
      .toEqual(['1/created', '2/fullyAllocated', '3/confirmed']);
  });
});
