import { describe, expect, it } from 'vitest';
import { orderLifecycle } from '../support/order-lifecycle.ts';
import { useSystem } from '../support/shared-system.ts';
import { startSystem } from '../support/system.ts';

const shared = useSystem();

describe('events of an order', () => {
  it('that are delivered twice are announced once', async () => {
    const { simulator, announced, service } = shared();
    const before = service().webhook.counts();
    const orderId = simulator.createOrder();
    const event = await simulator.emit(orderId, 'OrderCreate');
    expect(await simulator.deliver(event)).toBe(200);
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/fullyAllocated']);
    expect(service().webhook.counts()).toEqual({
      accepted: before.accepted + 2,
      duplicates: before.duplicates + 1,
      quarantined: before.quarantined,
    });
  });

  it('that arrive in reverse order lead to the same stage, and each is announced once', async () => {
    const { simulator, announced, receiver, view, service } = shared();
    const orderId = simulator.createOrder();
    const events = [];
    for (const name of orderLifecycle) events.push(await simulator.emit(orderId, name, { deliver: false }));
    for (const event of events.toReversed()) {
      await simulator.deliver(event);
      await expect.poll(() => service().webhook.isIdle()).toBe(true);
    }
    await expect
      .poll(() => announced(orderId))
      .toEqual([
        '1/created inferred',
        '2/fullyAllocated inferred',
        '3/picked inferred',
        '4/packStarted inferred',
        '5/packed inferred',
        '6/confirmed',
      ]);
    await expect.poll(async () => (await view(orderId)).stage).toBe('confirmed');
    expect(receiver.tally().outOfOrder).toBe(0);
  });

  it('that arrive after the workflow has completed start a new run, which continues with the next revision', async () => {
    const { simulator, announced, service, workflowId } = await startSystem({ env: { GRACE_PERIOD_MS: '300' } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const late = await simulator.emit(orderId, 'OrderPickJobUserAssigned', { deliver: false });
    await simulator.emit(orderId, 'OrderConfirm');
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    await expect.poll(async () => (await workflow.describe()).status.name).toBe('COMPLETED');
    const first = (await workflow.describe()).runId;
    expect(announced(orderId)).toEqual(['1/created', '2/confirmed']);

    await simulator.deliver(late);
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/confirmed', '3/pickerAssigned late']);
    expect((await workflow.describe()).runId).not.toBe(first);
    await expect.poll(async () => (await workflow.describe()).status.name).toBe('COMPLETED');
  });
});
