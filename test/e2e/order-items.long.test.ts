import { describe, expect, it } from 'vitest';
import { callsTo } from '../admin/open-admin.ts';
import { deliverAll } from '../support/deliver-all.ts';
import { startSystem } from '../support/system.ts';

describe('the lines of an order', () => {
  it('are tracked in their order, each alone and in total', async () => {
    const { simulator, announced, announcement, view, service, workflowId } = await startSystem({
      env: { WAREHOUSE_ITEM_DETAIL: 'allocations' },
    });
    const orderId = simulator.createOrder({ lines: 3 });
    const [first = '', second = ''] = simulator.orderItemIds(orderId);
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await simulator.emit(orderId, 'OrderItemPick', { orderItemId: first });
    await simulator.emit(orderId, 'OrderItemPick', { orderItemId: second });
    await simulator.emit(orderId, 'OrderItemPack', { orderItemId: first });
    await simulator.emit(orderId, 'OrderItemUnpick', { orderItemId: second });
    const kinds = () => announced(orderId).map((text) => text.replace(/^\d+\//, ''));
    await expect.poll(kinds).toContain('itemUnpicked');
    expect(kinds().filter((kind) => kind.startsWith('item'))).toEqual([
      'itemPicked',
      'itemPicked',
      'itemPacked',
      'itemUnpicked',
    ]);

    const progress = { lines: 3, picked: 1, packed: 1 };
    await expect.poll(() => view(orderId)).toMatchObject({ stage: 'fullyAllocated', progress });
    const { get } = callsTo(service().admin.url);
    expect((await get(`/subjects/${workflowId(orderId).split(':')[1]}/order/${orderId}`)).body.progress).toEqual({
      ...progress,
      byLine: { [first]: { picked: true, packed: true }, [second]: { picked: false, packed: false } },
    });
    const { data } = await announcement(orderId, 'itemPacked');
    expect(data).toMatchObject({
      orderItemId: first,
      picked: true,
      packed: true,
      orderItem: { readOnly: { orderItemId: Number(first), allocations: [expect.any(Object)] } },
      customer: expect.any(Object),
    });
  });

  it('can be two hundred that are all picked and packed together, with a few GETs per batch', async () => {
    const { simulator, announced, view, service, receiver, workflowId } = await startSystem();
    const orderId = simulator.createOrder({ lines: 200 });
    const events = [];
    for (const name of ['OrderItemPick', 'OrderItemPack'] as const)
      for (const orderItemId of simulator.orderItemIds(orderId))
        events.push(await simulator.emit(orderId, name, { orderItemId, deliver: false }));
    await deliverAll(simulator, events);
    await expect.poll(() => announced(orderId).length).toBe(401);

    expect((await view(orderId)).progress).toMatchObject({ lines: 200, picked: 200, packed: 200 });
    expect(receiver.tally()).toEqual({ received: 401, duplicates: 0, outOfOrder: 0 });
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    const history = await workflow.fetchHistory();
    // Each batch leaves a marker. The slower the machine, the more batches.
    const batches = history.events?.filter((event) => event.markerRecordedEventAttributes).length ?? 0;
    expect(batches).toBeLessThan(100);
    const { token: _, webhookKey: __, ...calls } = simulator.counts().calls;
    expect(Object.values(calls).reduce((sum, count) => sum + count)).toBeLessThan(3 * batches + 3);
    const { historyLength, historySize } = await workflow.describe();
    // Temporal warns at 10,240 events and 10 MB: there is room for a dozen times as many.
    expect(historyLength).toBeLessThan(800);
    expect(historySize).toBeLessThan(2_000_000);
  });
});
