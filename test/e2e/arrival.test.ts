import { describe, expect, it } from 'vitest';
import { orderLife } from '../support/order-life.ts';
import { startSystem } from '../support/system.ts';

describe('events of an order', () => {
  it('that are delivered twice are announced once', async () => {
    const { simulator, announced, service } = await startSystem();
    const orderId = simulator.createOrder();
    const event = await simulator.emit(orderId, 'OrderCreate');
    expect(await simulator.deliver(event)).toBe(200);
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created', '2/fullyAllocated']);
    expect(service().webhook.counts()).toEqual({ accepted: 2, duplicates: 1, quarantined: 0 });
  });

  it('that arrive in reverse lead to the same stage, each announced once and what is old marked so', async () => {
    const { simulator, announced, receiver, view, service } = await startSystem();
    const orderId = simulator.createOrder();
    const events = [];
    for (const name of orderLife) events.push(await simulator.emit(orderId, name, { deliver: false }));
    for (const event of events.toReversed()) {
      await simulator.deliver(event);
      await expect.poll(() => service().webhook.isIdle(), { timeout: 20_000 }).toBe(true);
    }
    await expect
      .poll(() => announced(orderId), { timeout: 20_000 })
      .toEqual([
        '1/created inferred',
        '2/fullyAllocated inferred',
        '3/picked inferred',
        '4/packStarted inferred',
        '5/packed inferred',
        '6/confirmed',
      ]);
    expect((await view(orderId)).stage).toBe('confirmed');
    expect(receiver.tally().outOfOrder).toBe(0);
  });

  it('that come after the workflow has completed start a new run, which goes on with the next revision', async () => {
    const { simulator, announced, service, workflowId } = await startSystem({ env: { GRACE_PERIOD_MS: '300' } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const late = await simulator.emit(orderId, 'OrderPickJobUserAssigned', { deliver: false });
    await simulator.emit(orderId, 'OrderConfirm');
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    await expect.poll(async () => (await workflow.describe()).status.name, { timeout: 20_000 }).toBe('COMPLETED');
    const first = (await workflow.describe()).runId;
    expect(announced(orderId)).toEqual(['1/created', '2/confirmed']);

    await simulator.deliver(late);
    await expect
      .poll(() => announced(orderId), { timeout: 20_000 })
      .toEqual(['1/created', '2/confirmed', '3/pickerAssigned late']);
    expect((await workflow.describe()).runId).not.toBe(first);
    await expect.poll(async () => (await workflow.describe()).status.name, { timeout: 20_000 }).toBe('COMPLETED');
  });

  it('that force the run to continue as new are all announced, in order', async () => {
    const { simulator, announced, receiver, service, workflowId } = await startSystem({
      env: { SIGNALS_PER_RUN: '2' },
    });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    for (let count = 1; count < 10; count += 1) {
      await expect.poll(() => announced(orderId).length, { timeout: 20_000 }).toBe(count);
      await simulator.emit(orderId, 'OrderUpdate');
    }
    await expect.poll(() => announced(orderId).length, { timeout: 20_000 }).toBe(10);
    expect(announced(orderId)).toEqual([
      '1/created',
      ...Array.from({ length: 9 }, (_, index) => `${index + 2}/updated`),
    ]);
    expect(receiver.tally()).toEqual({ received: 10, duplicates: 0, outOfOrder: 0 });
    const ended = `WorkflowId = '${workflowId(orderId)}' AND ExecutionStatus = 'ContinuedAsNew'`;
    const { workflow } = service().webhook.client;
    await expect.poll(async () => (await Array.fromAsync(workflow.list({ query: ended }))).length).toBeGreaterThan(0);
  });

  it('that are many at once fit into what Temporal takes', async () => {
    const { simulator, announced, receiver, view } = await startSystem();
    receiver.setAnswer(503);
    const orderId = simulator.createOrder();
    for (let i = 0; i < 60; i += 1) await simulator.emit(orderId, 'OrderExcludedFromPickJob');
    await expect.poll(async () => (await view(orderId)).lifecycle.revision, { timeout: 20_000 }).toBeGreaterThan(60);
    receiver.setAnswer(204);
    await expect.poll(() => announced(orderId).length, { timeout: 40_000 }).toBeGreaterThan(60);
    expect(receiver.tally()).toMatchObject({ duplicates: 0, outOfOrder: 0 });
  });

  it('in another spelling are the same events', async () => {
    const { simulator, announced, service } = await startSystem({ simulator: { form: { spelling: 'alias' } } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPackComplete');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toContain('2/packed');
    expect(service().webhook.counts()).toEqual({ accepted: 1, duplicates: 0, quarantined: 0 });
  });
});

describe('a delivery', () => {
  const token = 'a-token-of-some-length';
  const post = (url: string, body: object, query = '') =>
    fetch(url + query, { method: 'POST', body: JSON.stringify(body) });

  it('that is not authentic is refused and leaves nothing behind', async () => {
    const { service } = await startSystem();
    expect((await post(service().webhook.url, { eventType: 'OrderCreate', data: { OrderId: '1' } })).status).toBe(401);
    expect(service().webhook.counts()).toEqual({ accepted: 0, duplicates: 0, quarantined: 0 });
  });

  it('that is authentic but not understood is answered 200 and quarantined with its reason', async () => {
    const { service } = await startSystem({ env: { WEBHOOK_VERIFY: 'token', WEBHOOK_TOKEN: token } });
    const { url } = service().webhook;
    expect((await post(url, { tplId: 7, wmsEventId: 1, eventType: 'OrderExploded' })).status).toBe(401);
    expect((await post(url, { tplId: 7, wmsEventId: 1, eventType: 'OrderExploded' }, `?token=${token}`)).status).toBe(
      200,
    );
    expect((await post(url, { tplId: 7, wmsEventId: 2, eventType: 'ItemCreate' }, `?token=${token}`)).status).toBe(200);
    expect(await service().store.summary.quarantined()).toEqual([
      { reason: 'no id of an item', count: 1 },
      { reason: 'unknown event "OrderExploded"', count: 1 },
    ]);
  });
});
