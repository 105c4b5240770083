import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/domain/catalogue.ts';
import { isSubjectKind } from '../../src/domain/subject.ts';
import { type EventName, eventNames } from '../../src/simulator/effects.ts';
import { get, openSimulator } from './open.ts';

it('every event of an order, receipt, adjustment or assembly in the catalogue can happen, and no other', () => {
  const names = catalogue.filter(({ subject }) => isSubjectKind(subject)).map(({ name }) => name);
  expect(eventNames).toHaveLength(14 + 7 + 5 + 5);
  expect([...eventNames].sort()).toEqual(names.sort());
});

it.each([
  ['order', 'ReceiptConfirm'],
  ['receipt', 'OrderConfirm'],
  ['receipt', 'AdjustmentConfirm'],
  ['assembly', 'AdjustmentConfirm'],
] as const)('to the kind %s, %s cannot happen', async (kind, event) => {
  const simulator = await openSimulator();
  await expect(simulator.emit(simulator.create(kind), event)).rejects.toThrow(`${event} cannot happen to ${kind}`);
  expect(simulator.truth()[0]?.events).toEqual([]);
});

describe('an order', () => {
  it.each<[EventName, object]>([
    ['OrderComplete', { deferNotification: false, status: 0 }],
    ['OrderFullyAllocated', { fullyAllocated: true, lastModifiedByIdentifier: { id: -1, name: 'System' } }],
    ['OrderPickJobDone', { pickDoneDate: expect.any(String) }],
    ['OrderPackStarted', { packStarted: expect.any(String) }],
    ['OrderPackComplete', { packDoneDate: expect.any(String) }],
    ['OrderConfirm', { status: 1, isClosed: true, processDate: expect.any(String) }],
    ['OrderUnconfirm', { status: 0, isClosed: false }],
    ['OrderCancel', { status: 2, isClosed: false }],
  ])('after %s shows %o', async (event, shown) => {
    const simulator = await openSimulator();
    const orderId = simulator.createOrder();
    if (event === 'OrderUnconfirm') await simulator.emit(orderId, 'OrderConfirm');
    await simulator.emit(orderId, event);
    expect((await get(simulator, `/orders/${orderId}`)).body.readOnly).toMatchObject(shown);
  });

  it('shows no pick date after a pick job that was done incomplete, and one after the next', async () => {
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

  it('names no pick job after it was excluded from it', async () => {
    const simulator = await openSimulator();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPickJobUserAssigned');
    await simulator.emit(orderId, 'OrderExcludedFromPickJob');
    expect((await get(simulator, `/orders/${orderId}`)).text).not.toContain('pickjobs');
  });
});

describe('a receipt, adjustment or assembly', () => {
  it.each([
    ['receipt', '/inventory/receivers/', ['ReceiptCreate'], 'created', { status: 0, deferNotification: true }],
    ['receipt', '/inventory/receivers/', ['ReceiptComplete'], 'completed', { status: 0, deferNotification: false }],
    ['receipt', '/inventory/receivers/', ['ReceiptConfirm'], 'confirmed', { status: 1, isClosed: true }],
    ['receipt', '/inventory/receivers/', ['ReceiptConfirm', 'ReceiptUnconfirm'], 'created', { status: 0 }],
    ['receipt', '/inventory/receivers/', ['ReceiptCancel'], 'canceled', { status: 2, isClosed: false }],
    ['adjustment', '/inventory/adjustments/', ['AdjustmentUpdate'], 'created', { status: 0, isClosed: false }],
    ['adjustment', '/inventory/adjustments/', ['AdjustmentConfirm'], 'confirmed', { status: 1, isClosed: true }],
    ['adjustment', '/inventory/adjustments/', ['AdjustmentCancel'], 'canceled', { status: 2, isClosed: false }],
    ['assembly', '/inventory/assemblies/', ['AssemblyUpdate'], 'created', { status: 0, isClosed: false }],
    ['assembly', '/inventory/assemblies/', ['AssemblyConfirm'], 'confirmed', { status: 1, isClosed: true }],
    ['assembly', '/inventory/assemblies/', ['AssemblyCancel'], 'canceled', { status: 2, isClosed: false }],
  ] as const)('(%s at %s) after %j is %s', async (kind, path, events, stage, shown) => {
    const simulator = await openSimulator();
    const id = simulator.create(kind);
    for (const event of events) await simulator.emit(id, event);
    expect((await get(simulator, path + id)).body.readOnly).toMatchObject(shown);
    expect(simulator.truth()).toMatchObject([{ kind, id, stage }]);
  });

  it('has its planned arrival until it is closed, and the real one from then on', async () => {
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
