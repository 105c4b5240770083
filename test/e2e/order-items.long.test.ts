import { describe, expect, it } from 'vitest';
import { deliverAll } from '../support/deliver-all.ts';
import { startSystem } from '../support/system.ts';

describe('the lines of an order', () => {
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
