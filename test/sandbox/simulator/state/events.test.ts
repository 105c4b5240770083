import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../../sandbox/simulator/kinds/kinds.ts';
import { pickJobIdOf } from '../../../../sandbox/simulator/kinds/order/state.ts';
import type { Simulator } from '../../../../sandbox/simulator/simulator.ts';
import { catalogue, subjectOf } from '../../../../src/domain/catalogue/catalogue.ts';
import { subjectKinds } from '../../../../src/domain/catalogue/subject.ts';
import { get, openSimulator } from '../open.ts';

it.each(subjectKinds)('every event of a subject of the kind %s can happen', async (kind) => {
  const simulator = await openSimulator();
  const names = catalogue.filter(({ subject }) => subjectOf(subject) === kind).map(({ name }) => name as EventName);
  const id = simulator.create(kind);
  for (const name of names) await simulator.emit(id, name);
  expect(simulator.truth()[0]?.events.map(({ name }) => name)).toEqual(names);
});

it.each([
  ['order', 'ReceiptConfirm'],
  ['receipt', 'OrderConfirm'],
  ['receipt', 'AdjustmentConfirm'],
  ['assembly', 'AdjustmentConfirm'],
  ['item', 'OrderItemPick'],
  ['receipt', 'OrderItemPack'],
  ['hold', 'InventorySummaryUpdate'],
] as const)('a subject of the kind %s refuses %s', async (kind, event) => {
  const simulator = await openSimulator();
  await expect(simulator.emit(simulator.create(kind), event)).rejects.toThrow(`${event} cannot happen to ${kind}`);
  expect(simulator.truth()[0]?.events).toEqual([]);
});

describe('an order', () => {
  it('shows no pick date after an incomplete pick job, and one after the next job', async () => {
    const simulator = await openSimulator();
    const orderId = simulator.createOrder();
    const look = async () => {
      const { readOnly, _links } = (await get(simulator, `/orders/${orderId}`)).body;
      return { date: readOnly.pickDoneDate, job: JSON.stringify(_links).match(/pickjobs\/(\d+)/)?.[1] };
    };
    await simulator.emit(orderId, 'OrderPickJobDone', { incomplete: true });
    const first = await look();
    await simulator.emit(orderId, 'OrderPickJobDone');
    const second = await look();
    expect(first.date).toBeUndefined();
    expect(second.date).toBeTypeOf('string');
    expect(second.job).not.toBe(first.job);
    const { body } = await get(simulator, `/orders/pickjobs/${first.job}/picklist`);
    expect(body.lines[0].qtyPicked).toBe(0);
  });

  it('links to no pick job after its exclusion', async () => {
    const simulator = await openSimulator();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    await simulator.emit(orderId, 'OrderExcludedFromPickJob');
    expect((await get(simulator, `/orders/${orderId}`)).text).not.toContain('pickjobs');
  });
});

describe('a line of an order', () => {
  /** Reports for each line whether the pick list of the first job shows it as picked. */
  async function pickedOf(simulator: Simulator, orderId: string) {
    const { body } = await get(simulator, `/orders/pickjobs/${pickJobIdOf(Number(orderId), 0)}/picklist`);
    return body.lines.map(({ qtyPicked }: { qtyPicked: number }) => qtyPicked > 0);
  }

  it('is picked and unpicked on its own, by default the first', async () => {
    const simulator = await openSimulator();
    const orderId = simulator.createOrder({ lines: 3 });
    const [first, second] = simulator.orderItemIds(orderId);
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    expect(await pickedOf(simulator, orderId)).toEqual([false, false, false]);
    await simulator.emit(orderId, 'OrderItemPick');
    await simulator.emit(orderId, 'OrderItemPick', { orderItemId: second ?? '' });
    expect(await pickedOf(simulator, orderId)).toEqual([true, true, false]);
    await simulator.emit(orderId, 'OrderItemUnpick', { orderItemId: first ?? '' });
    expect(await pickedOf(simulator, orderId)).toEqual([false, true, false]);
    expect(simulator.truth()[0]?.events.map(({ name, orderItemId }) => [name, orderItemId])).toEqual([
      ['OrderPickJobUserAssigned', undefined],
      ['OrderItemPick', first],
      ['OrderItemPick', second],
      ['OrderItemUnpick', first],
    ]);
  });

  it('does not change the stage of its order', async () => {
    const simulator = await openSimulator();
    const orderId = simulator.createOrder({ lines: 1 });
    await simulator.emit(orderId, 'OrderItemPick');
    await simulator.emit(orderId, 'OrderItemPack');
    expect(simulator.truth()).toMatchObject([{ stage: 'created' }]);
  });

  it('of another order cannot be picked', async () => {
    const simulator = await openSimulator();
    const one = simulator.createOrder();
    const other = simulator.createOrder();
    const [orderItemId = ''] = simulator.orderItemIds(other);
    await expect(simulator.emit(one, 'OrderItemPick', { orderItemId })).rejects.toThrow('No item');
    expect(simulator.truth()[0]?.events).toEqual([]);
  });

  it('has an id that no line of another order uses, even with a thousand lines', async () => {
    const simulator = await openSimulator();
    const orders = [1, 500, 1000, 1].map((lines) => simulator.createOrder({ lines }));
    const ids = orders.flatMap((orderId) => simulator.orderItemIds(orderId));
    expect(ids).toHaveLength(1502);
    expect(new Set(ids).size).toBe(1502);
    const [last = ''] = simulator.orderItemIds(orders[1] ?? '').slice(-1);
    expect((await get(simulator, `/orders/${orders[1]}/items/${last}`)).body.readOnly.orderItemId).toBe(Number(last));
  });

  it.each([0, -1, 1001, 1.5])('cannot be one of %d lines', async (lines) => {
    const simulator = await openSimulator();
    expect(() => simulator.createOrder({ lines })).toThrow('An order has 1 to 1000 lines');
  });
});

describe('an item', () => {
  it('is deactivated and reactivated by updates, and unchanged by other updates', async () => {
    const simulator = await openSimulator();
    const id = simulator.create('item', { customerId: 419 });
    const shown = async () => (await get(simulator, `/customers/419/items/${id}`)).body.readOnly.deactivated;
    expect(await shown()).toBe(false);
    await simulator.emit(id, 'ItemUpdate', { deactivated: true });
    await simulator.emit(id, 'ItemUpdate');
    expect(await shown()).toBe(true);
    expect(simulator.truth()).toMatchObject([{ stage: 'deactivated' }]);
    await simulator.emit(id, 'ItemUpdate', { deactivated: false });
    expect(await shown()).toBe(false);
    expect(simulator.truth()).toMatchObject([{ stage: 'created' }]);
  });
});

describe('stock', () => {
  const levelsOf = (simulator: Simulator) => simulator.truth()[0]?.levels;

  it('takes the levels of an update, and keeps the others', async () => {
    const simulator = await openSimulator();
    const id = simulator.create('stock');
    const before = levelsOf(simulator);
    await simulator.emit(id, 'InventorySummaryUpdate', { levels: { onHand: 7, onHold: 2 } });
    expect(levelsOf(simulator)).toEqual({ ...before, onHand: 7, onHold: 2 });
    expect(simulator.truth()).toMatchObject([{ kind: 'stock', id, stage: 'current' }]);
  });

  it('is identified by its facility, item and qualifier, and unique', async () => {
    const simulator = await openSimulator();
    const key = { facilityId: 12, itemId: 7001 };
    expect(simulator.create('stock', key)).toBe('12.7001.');
    expect(simulator.create('stock', { ...key, qualifier: 'RED/XL' })).toBe('12.7001.RED%2FXL');
    expect(() => simulator.create('stock', key)).toThrow('stock 12.7001. is in the simulator already');
    expect(() => simulator.create('stock', { facilityId: 13 })).toThrow('No facility 13');
    expect(simulator.create('stock')).not.toBe(simulator.create('stock'));
  });
});

describe('a receipt', () => {
  it('has its planned arrival until it is closed, and then the real one', async () => {
    const simulator = await openSimulator();
    const id = simulator.create('receipt');
    const arrival = async () => (await get(simulator, `/inventory/receivers/${id}`)).body.arrivalDate;
    const planned = await arrival();
    await simulator.emit(id, 'ReceiptConfirm', { time: Date.UTC(2036, 1, 11, 16, 42) });
    expect(await arrival()).toBe('2036-02-11T10:42:00.000');
    await simulator.emit(id, 'ReceiptUnconfirm');
    expect(await arrival()).toBe(planned);
  });
});
