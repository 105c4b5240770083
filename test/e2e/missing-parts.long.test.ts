import { beforeEach, describe, expect, it } from 'vitest';
import { useSystem } from '../support/shared-system.ts';

const later = { interval: 250 };

/** Without numbers and what is inferred. */
const milestonesIn = (announced: readonly string[]) =>
  announced.filter((text) => !text.endsWith('inferred')).map((text) => text.replace(/^\d+\//, ''));

const shared = useSystem({ env: { WAREHOUSE_READ_LAG_MS: '1000' } });

describe('a part', () => {
  beforeEach(async () => {
    // An earlier copy would stand in.
    await shared().service().store.db.deleteFrom('resources').execute();
  });

  it('which the warehouse does not have holds nothing back, and is fetched once it does', async () => {
    const { simulator, announced, announcement, view, receiver } = shared();
    simulator.setFaults({ statuses: { getOrdersPicklist: 404 } });
    const orderId = simulator.createOrder();
    for (const one of ['OrderPickJobUserAssigned', 'OrderPickJobDone', 'OrderPickJobUserUnassigned'] as const) {
      await simulator.emit(orderId, one);
    }
    const all = ['pickerAssigned', 'picked', 'pickerUnassigned'];
    await expect.poll(() => milestonesIn(announced(orderId))).toEqual(all);
    expect((await announcement(orderId, 'picked')).data).toMatchObject({ pickList: null, missing: ['pickList'] });
    await expect.poll(async () => (await view(orderId)).attention).toEqual(['refused']);

    simulator.setFaults({ statuses: {} });
    await expect.poll(async () => (await view(orderId)).attention, later).toEqual([]);
    expect(milestonesIn(announced(orderId))).toEqual(all);
    await simulator.emit(orderId, 'OrderPickJobDone');
    await expect.poll(() => milestonesIn(announced(orderId))).toEqual([...all, 'picked']);
    const { data } = await announcement(orderId, 'picked');
    expect(data).toMatchObject({ pickList: expect.anything(), resourceFrom: 'warehouse' });
    expect(data).not.toHaveProperty('missing');
    expect(receiver.tally()).toMatchObject({ duplicates: 0, outOfOrder: 0 });
  });
});
