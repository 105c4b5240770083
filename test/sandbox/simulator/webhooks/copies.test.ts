import { describe, expect, it } from 'vitest';
import { get, openDeliveries } from '../open.ts';

describe('messages that identify nothing', () => {
  it('have each unset form of wmsEventId, at their rate, and are noted in the truth', async () => {
    const { simulator, received } = await openDeliveries({ manners: { unsetEventIds: 0.5 } });
    const orderId = simulator.createOrder();
    for (let event = 0; event < 10; event += 1) await simulator.emit(orderId, 'OrderUpdate');
    const isUnset = received.map(({ message }) => !(message.wmsEventId > 0));
    expect(isUnset.filter(Boolean)).toHaveLength(5);
    const ids = new Set(received.map(({ message }) => message.wmsEventId).filter((_, index) => isUnset[index]));
    expect(ids).toEqual(new Set(['0', '-1', -1, '00000000-0000-0000-0000-000000000000']));
    const [{ events = [] } = {}] = simulator.truth();
    expect(events.map(({ isUnnamed = false }) => isUnnamed)).toEqual(isUnset);
    expect(new Set(received.map(({ bytes }) => bytes.toString())).size).toBe(10);
  });

  it('are never two about one event', async () => {
    const { simulator, received } = await openDeliveries({ manners: { unsetEventIds: 1, overlapping: true } });
    await simulator.emit(simulator.createOrder({ customerId: 418 }), 'OrderCreate');
    expect(received.map(({ message }) => message.wmsEventId > 0)).toEqual([true, true]);
    await simulator.emit(simulator.createOrder({ customerId: 419 }), 'OrderCreate');
    expect(received.slice(2).map(({ message }) => message.wmsEventId > 0)).toEqual([false]);
  });
});

describe('overlapping webhooks', () => {
  it('report an event twice under one id, once without the resource and once with it, in either order', async () => {
    const { simulator, received } = await openDeliveries({ types: ['Inventory Hold'], manners: { overlapping: true } });
    const hold = simulator.create('hold', { customerId: 418 });
    for (let event = 0; event < 10; event += 1) await simulator.emit(hold, 'InventoryPlaceOnHold');
    const pairs = Array.from({ length: 10 }, (_, index) => received.slice(2 * index, 2 * index + 2));
    for (const pair of pairs) expect(new Set(pair.map(({ message }) => message.wmsEventId)).size).toBe(1);
    const bodies = pairs.map((pair) => pair.map(({ message }) => message.resource.body !== undefined).join());
    expect(new Set(bodies)).toEqual(new Set(['true,false', 'false,true']));
    expect(received[0]?.message.data).toBe(JSON.stringify({ ReceiveItemId: hold }));
  });

  it('are those of one customer', async () => {
    const { simulator, received } = await openDeliveries({ manners: { overlapping: true } });
    await simulator.emit(simulator.createOrder({ customerId: 420 }), 'OrderCreate');
    expect(received).toHaveLength(1);
  });

  it('note when the resource was accepted', async () => {
    const { simulator } = await openDeliveries({ manners: { overlapping: true } });
    await simulator.emit(simulator.createOrder({ customerId: 418 }), 'OrderCreate');
    await simulator.emit(simulator.createOrder({ customerId: 419 }), 'OrderCreate');
    const shown = simulator.truth().map(({ events }) => events[0]?.shownAt);
    expect(shown).toEqual([expect.any(Number), undefined]);
  });
});

describe('dates and flags that say nothing', () => {
  it('stand where nothing has happened yet, and are gone once it has', async () => {
    const { simulator } = await openDeliveries({ manners: { unsetDates: true } });
    const seen = new Set<unknown>();
    for (let order = 0; order < 6; order += 1) {
      const id = simulator.createOrder();
      const { readOnly } = (await get(simulator, `/orders/${id}`)).body;
      for (const name of ['pickDoneDate', 'packDoneDate', 'processDate', 'packStarted']) seen.add(readOnly[name]);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['0001-01-01T00:00:00', '1900-01-01T00:00:00', 0, '', 'null', 'False']),
    );
    expect([...seen]).not.toContain(undefined);
    const packed = simulator.createOrder();
    for (const name of ['OrderPickJobDone', 'OrderPackStarted', 'OrderPackComplete'] as const) {
      await simulator.emit(packed, name);
    }
    const { readOnly } = (await get(simulator, `/orders/${packed}`)).body;
    const date = expect.stringMatching(/^20\d\d-/);
    expect(readOnly).toMatchObject({ pickDoneDate: date, packDoneDate: date, packStarted: true, pickStarted: true });
  });
});
