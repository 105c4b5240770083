import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/domain/catalogue.ts';
import { type EventName, eventNames } from '../../src/simulator/order-effects.ts';
import { get, openSimulator } from './open.ts';

it('every order event of the catalogue can happen, and no other', () => {
  const names = catalogue.filter(({ subject }) => subject === 'order').map(({ name }) => name);
  expect(eventNames).toHaveLength(14);
  expect([...eventNames].sort()).toEqual(names.sort());
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
