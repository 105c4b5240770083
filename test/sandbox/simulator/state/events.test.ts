import { describe, expect, it } from 'vitest';
import { get, openSimulator } from '../open.ts';

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
});

describe('a line of an order', () => {
  it('has an id that no line of another order uses, even with a thousand lines', async () => {
    const simulator = await openSimulator();
    const orders = [1, 500, 1000, 1].map((lines) => simulator.createOrder({ lines }));
    const ids = orders.flatMap((orderId) => simulator.orderItemIds(orderId));
    expect(ids).toHaveLength(1502);
    expect(new Set(ids).size).toBe(1502);
    const [last = ''] = simulator.orderItemIds(orders[1] ?? '').slice(-1);
    expect((await get(simulator, `/orders/${orders[1]}/items/${last}`)).body.readOnly.orderItemId).toBe(Number(last));
  });
});

describe('stock', () => {
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
