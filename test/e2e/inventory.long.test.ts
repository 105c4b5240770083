import { describe, expect, it } from 'vitest';
import { stockId } from '../../src/domain/kinds/stock/summary.ts';
import { deliverAll } from '../support/deliver-all.ts';
import { useSystem } from '../support/shared-system.ts';
import { startSystem } from '../support/system.ts';

const shared = useSystem({ env: { WAREHOUSE_READ_LAG_MS: '0' } });

describe('stock', () => {
  const key = { facilityId: 12, itemId: 7001, qualifier: 'RED/XL' };
  const id = stockId({ facilityId: '12', itemId: '7001', qualifier: 'RED/XL' });

  it('is announced with its levels before and after, and only its customer is retrieved', async () => {
    const { simulator, announced, announcement, view } = await startSystem();
    expect(simulator.create('stock', { ...key, customerId: 418 })).toBe(id);
    await simulator.emit(id, 'InventorySummaryUpdate', { levels: { onHand: 10, available: 8 } });
    await expect.poll(() => announced(id, 'stock')).toEqual(['1/changed']);
    await simulator.emit(id, 'InventorySummaryUpdate', { levels: { onHand: 7 } });
    await expect.poll(() => announced(id, 'stock')).toEqual(['1/changed', '2/changed']);

    const { type, subject, data } = await announcement(id, 'changed', 'stock');
    expect({ type, subject }).toEqual({ type: 'dockline.stock.changed', subject: `stock/${id}` });
    expect(data).toMatchObject({
      before: { levels: { onHand: 10, available: 8 } },
      after: { levels: { onHand: 7, available: 8 } },
      stock: { facilityId: 12, itemIdentifier: { id: 7001 }, qualifier: 'RED/XL', onHand: 7 },
      customer: { externalId: 'ALDER' },
    });
    await expect
      .poll(() => view(id, 'stock'))
      .toMatchObject({ stage: 'current', lifecycle: { snapshot: { facilityId: '12' } } });
    const { webhookKey: _, token: __, ...gets } = simulator.counts().calls;
    expect(gets).toEqual({ getCustomer: 1 });
  });

  it('that changes 150 times at once is announced a few times, at last with its current levels', async () => {
    const { simulator, announced, announcement, receiver } = shared();
    receiver.setAnswer(503);
    const id = simulator.create('stock', { ...key, itemId: 7002 });
    const events = [];
    for (let onHand = 150; onHand > 0; onHand -= 1)
      events.push(await simulator.emit(id, 'InventorySummaryUpdate', { levels: { onHand }, deliver: false }));
    await deliverAll(simulator, events.reverse());
    receiver.setAnswer(204);
    const last = async () => (await announcement(id, 'changed', 'stock')).data.after.levels.onHand;
    await expect.poll(last).toBe(1);
    await expect.poll(() => announced(id, 'stock').length).toBeGreaterThan(0);
    expect(announced(id, 'stock').length).toBeLessThan(40);
    expect(receiver.tally()).toMatchObject({ duplicates: 0, outOfOrder: 0 });
  });
});

describe('an item', () => {
  it('is followed through creation, updates, deactivation and deletion', async () => {
    const { simulator, announced, announcement, view, service, workflowId } = await startSystem({
      env: { GRACE_PERIOD_MS: '300' },
    });
    const id = simulator.create('item', { customerId: 419 });
    await simulator.emit(id, 'ItemCreate');
    await expect.poll(() => announced(id, 'item')).toEqual(['1/created']);
    // An item never closes: its workflow completes between events.
    const workflow = service().webhook.client.workflow.getHandle(workflowId(id, 'item'));
    await expect.poll(async () => (await workflow.describe()).status.name).toBe('COMPLETED');

    await simulator.emit(id, 'ItemUpdate', { deactivated: true });
    await expect.poll(() => announced(id, 'item')).toEqual(['1/created', '2/updated', '3/deactivated inferred']);
    const { data } = await announcement(id, 'deactivated', 'item');
    expect(data).toMatchObject({
      stage: 'deactivated',
      item: { itemId: Number(id), readOnly: { deactivated: true } },
      customer: { externalId: 'BRIGHT' },
    });
    await simulator.emit(id, 'ItemDelete');
    await expect.poll(() => announced(id, 'item').at(-1)).toBe('4/deleted');
    await expect.poll(async () => (await view(id, 'item')).stage).toBe('deleted');
  });
});
