import { beforeEach, describe, expect, it } from 'vitest';
import type { ComposedAnnouncement } from '../support/followed.ts';
import { useSystem } from '../support/shared-system.ts';

const later = { interval: 250 };

/** Without numbers and what is inferred. */
const milestonesIn = (announced: readonly string[]) =>
  announced.filter((text) => !text.endsWith('inferred')).map((text) => text.replace(/^\d+\//, ''));

const recordIn = ({ data: { order, resourceFrom, missing } }: ComposedAnnouncement) => ({
  id: order && String(order.readOnly.orderId),
  resourceFrom,
  missing,
});

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

describe('an order that cannot be had', () => {
  const carrying = useSystem({ resources: ['Default'], env: { WAREHOUSE_OUTAGE_MS: '2000' } });

  it.each([
    [404, shared, { id: null, resourceFrom: null, missing: ['order'] }],
    [503, carrying, { resourceFrom: 'message' }],
  ])('is announced with the resource of its message, if that has one: %i', async (status, system, embedded) => {
    const { simulator, announced, announcement, view } = system();
    const orderId = simulator.createOrder();
    simulator.setFaults({ statuses: { getOrder: status } });
    await simulator.emit(orderId, 'OrderCreate');
    await simulator.emit(orderId, 'OrderUpdate');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/updated']);
    expect(recordIn(await announcement(orderId, 'created'))).toEqual({ id: orderId, missing: undefined, ...embedded });
    await expect.poll(async () => (await view(orderId)).attention).toEqual(['refused']);

    simulator.setFaults({ statuses: {} });
    await expect.poll(async () => (await view(orderId)).attention, later).toEqual([]);
    await simulator.emit(orderId, 'OrderConfirm');
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/updated', '3/confirmed']);
    expect(recordIn(await announcement(orderId, 'confirmed'))).toMatchObject({
      id: orderId,
      resourceFrom: 'warehouse',
    });
  });

  it('is held back until it can, if its message has no resource', async () => {
    const { simulator, announced, service } = shared();
    const orderId = simulator.createOrder();
    simulator.setFaults({ statuses: { getOrder: 503 } });
    await simulator.emit(orderId, 'OrderCreate');
    const failing = () =>
      service().store.db.selectFrom('subjects').select('retrieving').where('subject_id', '=', orderId);
    await expect
      .poll(async () => (await failing().executeTakeFirst())?.retrieving)
      .toMatch(/answered 503.*"attempts":[2-9]|"attempts":[2-9].*answered 503/);
    expect(announced(orderId)).toEqual([]);
    simulator.setFaults({ statuses: {} });
    await expect.poll(() => announced(orderId), later).toEqual(['1/created']);
  });
});
