import { describe, expect, it } from 'vitest';
import type { EventName } from '../../../../sandbox/simulator/kinds/kinds.ts';
import { pickJobIdOf } from '../../../../sandbox/simulator/kinds/order/state.ts';
import { get, getShown, openSimulator } from '../open.ts';

const ITEM = 'http://api.3plCentral.com/rels/orders/item';
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/;

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

  it('GET /orders/{id}/items/{iid} answers a line of the order', async () => {
    const { simulator, orderId } = await openOrder();
    const { body: order } = await get(simulator, `/orders/${orderId}?detail=orderItems`);
    const [line] = order._embedded[ITEM];
    const { status, body } = await get(simulator, `/orders/${orderId}/items/${line.readOnly.orderItemId}`);
    expect(status).toBe(200);
    expect(body).toEqual(line);
    expect((await get(simulator, `/orders/${orderId}/items/1`)).status).toBe(404);
  });

  it('GET /orders/pickjobs/{jobId}/picklist answers the job that the links of the order name', async () => {
    const { simulator, orderId } = await openOrder('OrderPickJobUserAssigned');
    const { body: order } = await get(simulator, `/orders/${orderId}`);
    const { href } = order._links['http://api.3plCentral.com/rels/orders/pickjob'];
    expect(href).toMatch(/^\/orders\/pickjobs\/\d+$/);
    const { status, body } = await get(simulator, `${href}/picklist`);
    expect(status).toBe(200);
    expect(body.lines[0]).toMatchObject({ orderId: Number(orderId), qtyPicked: 0 });
    expect((await get(simulator, '/orders/pickjobs/1/picklist')).status).toBe(404);
  });

  it("GET /customers/{customerId}/items/{itemId} answers an item of that customer, and 404 for another customer's", async () => {
    const simulator = await openSimulator();
    const id = simulator.create('item', { customerId: 419 });
    const { status, body } = await get(simulator, `/customers/419/items/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      itemId: Number(id),
      sku: expect.any(String),
      description: expect.any(String),
      readOnly: {
        deactivated: false,
        creationDate: expect.stringMatching(LOCAL_TIME),
        lastModifiedDate: expect.stringMatching(LOCAL_TIME),
        customerIdentifier: { id: 419, name: 'Brightwater Audio', externalId: 'BRIGHT' },
        lastModifiedByIdentifier: { id: expect.any(Number), name: expect.any(String) },
      },
      _links: { self: { href: `/customers/419/items/${id}` } },
    });
    expect((await get(simulator, `/customers/418/items/${id}`)).status).toBe(404);
    await simulator.emit(id, 'ItemDelete');
    expect((await get(simulator, `/customers/419/items/${id}`)).status).toBe(404);
    expect(simulator.counts().calls.getItem).toBe(3);
  });
});

describe('a receipt, adjustment or assembly', () => {
  it.each([
    ['/inventory/receivers/', 'receipt', 'ReceiverId', 'ReceiptDelete', 'getReceiver'],
    ['/inventory/adjustments/', 'adjustment', 'AdjustmentId', 'AdjustmentDelete', 'getAdjustment'],
    ['/inventory/assemblies/', 'assembly', 'AssemblyId', 'AssemblyDelete', 'getAssembly'],
  ] as const)(
    'at %s has PascalCase, 401, 403 and, once deleted, 404',
    async (path, kind, idName, removal, operation) => {
      const simulator = await openSimulator();
      const id = simulator.create(kind);
      const plain = await get(simulator, path + id, 'application/json');
      expect(plain.body.ReadOnly).toMatchObject({ [idName]: Number(id), Status: 0 });
      expect(JSON.stringify(plain.body)).not.toMatch(/"_|"[a-z]\w*":/);
      expect((await fetch(simulator.baseUrl + path + id)).status).toBe(401);
      simulator.setFaults({ forbidden: [operation] });
      expect((await get(simulator, path + id)).status).toBe(403);
      simulator.setFaults({ forbidden: [] });
      await simulator.emit(id, removal);
      expect((await get(simulator, path + id)).status).toBe(404);
      expect(simulator.counts().calls[operation]).toBe(4);
    },
  );

  it('is not found at the path of another kind', async () => {
    const simulator = await openSimulator();
    const order = simulator.createOrder();
    const receipt = simulator.create('receipt');
    expect((await get(simulator, `/inventory/receivers/${order}`)).status).toBe(404);
    expect((await get(simulator, `/orders/${receipt}`)).status).toBe(404);
    expect((await get(simulator, `/inventory/adjustments/${receipt}`)).status).toBe(404);
  });
});

describe('an order', () => {
  it('ignores unknown query parameters and values', async () => {
    const { simulator, orderId } = await openOrder();
    const { text } = await getShown(simulator, `/orders/${orderId}`);
    expect((await getShown(simulator, `/orders/${orderId}?detail=everything&pgsiz=x&rql=status==1`)).text).toBe(text);
  });

  it('has every section with detail=All and itemdetail=All, in any case', async () => {
    const { simulator, orderId } = await openOrder();
    const named =
      'savedElements,packages,contacts,billingDetails,outboundSerialNumbers,smallParcel,parcelOptions,orderItems';
    const items = 'savedElements,allocations,allocationsWithDetail';
    const { text } = await getShown(simulator, `/orders/${orderId}?detail=${named}&itemdetail=${items}`);
    expect((await getShown(simulator, `/orders/${orderId}?detail=All&itemdetail=all`)).text).toBe(text);
    const [line] = simulator.orderItemIds(orderId);
    const path = `/orders/${orderId}/items/${line}`;
    expect((await get(simulator, `${path}?detail=ALL`)).text).toBe(
      (await get(simulator, `${path}?detail=${items}`)).text,
    );
  });

  it.each(['application/json', '*/*', '', 'text/html'])('is in PascalCase with Accept "%s"', async (accept) => {
    const { simulator, orderId } = await openOrder();
    const { headers, body } = await get(simulator, `/orders/${orderId}?detail=orderItems`, accept);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toMatchObject({ ReferenceNum: 'REF-7', ReadOnly: { OrderId: Number(orderId), IsClosed: false } });
    expect(JSON.stringify(body)).not.toMatch(/"_|"[a-z]\w*":/);
  });

  it('has its dates in local time without an offset, and no field that is null', async () => {
    const { simulator, orderId } = await openOrder();
    const time = Date.UTC(2026, 1, 11, 16, 42, 19, 63);
    await simulator.emit(orderId, 'OrderPackComplete', { time });
    const { body, text } = await get(simulator, `/orders/${orderId}`);
    expect(body.readOnly.packDoneDate).toBe('2026-02-11T10:42:19.063');
    expect(body.readOnly).not.toHaveProperty('pickDoneDate');
    expect(text).not.toContain('null');
  });

  it('has its dates in the local time of a warehouse in another time zone', async () => {
    const simulator = await openSimulator({ utcOffsetMinutes: 330 });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPackComplete', { time: Date.UTC(2026, 1, 11, 20, 42, 19, 63) });
    const { body } = await get(simulator, `/orders/${orderId}`);
    expect(body.readOnly.packDoneDate).toBe('2026-02-12T02:12:19.063');
  });

  it('has another ETag after a change', async () => {
    const { simulator, orderId } = await openOrder();
    const etag = async () => (await getShown(simulator, `/orders/${orderId}`)).headers.get('etag');
    const before = await etag();
    expect(before).toEqual(expect.any(String));
    expect(await etag()).toBe(before);
    await simulator.emit(orderId, 'OrderConfirm');
    expect(await etag()).not.toBe(before);
  });

  it('is not found after its deletion', async () => {
    const { simulator, orderId } = await openOrder('OrderPickJobDone', 'OrderDeleted');
    expect((await get(simulator, `/orders/${orderId}`)).status).toBe(404);
    expect((await get(simulator, `/orders/pickjobs/${pickJobIdOf(Number(orderId), 0)}/picklist`)).status).toBe(404);
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
