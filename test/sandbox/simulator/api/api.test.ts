import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../../sandbox/simulator/kinds/kinds.ts';
import { get, getShown, openSimulator } from '../open.ts';

async function openOrder(...events: readonly EventName[]) {
  const simulator = await openSimulator();
  const orderId = simulator.createOrder({ customerId: 419, referenceNum: 'REF-7' });
  for (const event of events) await simulator.emit(orderId, event);
  return { simulator, orderId };
}

describe('the documented paths', () => {
  it('GET /orders/{id} and GET /order/{id} answer an order in HAL', async () => {
    const { simulator, orderId } = await openOrder('OrderCreate');
    const order = await get(simulator, `/orders/${orderId}`);
    expect(order.status).toBe(200);
    expect(order.headers.get('content-type')).toBe('application/hal+json; charset=utf-8');
    expect(order.headers.get('etag')).toMatch(/^".+"$/);
    expect(order.body).toMatchObject({
      referenceNum: 'REF-7',
      readOnly: {
        orderId: Number(orderId),
        status: 0,
        isClosed: false,
        fullyAllocated: false,
        deferNotification: true,
        customerIdentifier: { id: 419, name: 'Brightwater Audio', externalId: 'BRIGHT' },
        facilityIdentifier: { id: expect.any(Number), name: expect.any(String) },
        lastModifiedByIdentifier: { id: expect.any(Number), name: expect.any(String) },
      },
      _links: { self: { href: `/orders/${orderId}` } },
    });
    expect((await getShown(simulator, `/order/${orderId}`)).text).toBe(order.text);
  });

  it('every third order has the days between which it is to be shipped', async () => {
    const simulator = await openSimulator();
    const windows = await Array.fromAsync(Array.from({ length: 3 }), async () => {
      const { body } = await get(simulator, `/orders/${simulator.createOrder()}`);
      return [body.earliestShipDate, body.shipCancelDate, body.readOnly.creationDate] as const;
    });
    const [[earliest, latest, created] = []] = windows.filter(([it]) => it !== undefined);
    expect(windows.filter(([it]) => it === undefined)).toHaveLength(2);
    expect(earliest).toBe(`${created.slice(0, 10)}T00:00:00`);
    expect(Date.parse(latest) - Date.parse(earliest)).toBe(3 * 86_400_000);
  });
});

describe('an order', () => {
  it('has its dates in local time without an offset, and no field that is null', async () => {
    const { simulator, orderId } = await openOrder();
    const time = Date.UTC(2026, 1, 11, 16, 42, 19, 63);
    await simulator.emit(orderId, 'OrderPackComplete', { time });
    const { body, text } = await get(simulator, `/orders/${orderId}`);
    expect(body.readOnly.packDoneDate).toBe('2026-02-11T10:42:19.063');
    expect(body.readOnly).not.toHaveProperty('pickDoneDate');
    expect(text).not.toContain('null');
  });
});

describe('a request that cannot be answered', () => {
  it.each([
    ['/orders/1', 404, 'NotFound'],
    ['/customers/1', 404, 'NotFound'],
    ['/inventory/receivers/1', 404, 'NotFound'],
    ['/inventory/adjustments/1', 404, 'NotFound'],
    ['/inventory/assemblies/1', 404, 'NotFound'],
    ['/inventory/receivers/abc', 400, 'NotParsable'],
    ['/nowhere', 404, 'NotFound'],
    ['/orders/abc', 400, 'NotParsable'],
    ['/orders/1e3', 400, 'NotParsable'],
    ['/orders/%00', 400, 'NotParsable'],
  ])('of %s gets %i in the vendor form', async (path, status, code) => {
    const answer = await get(await openSimulator(), path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ $type: expect.any(String), ErrorCode: code, Hint: expect.any(String) });
  });
});
