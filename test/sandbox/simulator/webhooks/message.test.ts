import { verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findEntry } from '../../../../src/domain/catalogue/catalogue.ts';
import { get, getShown, openDeliveries, type Received } from '../open.ts';

async function publicKey({ baseUrl }: { readonly baseUrl: string }): Promise<string> {
  const response = await fetch(`${baseUrl}/events/webhook/key`);
  const { publicKey, retrievalDateISO } = (await response.json()) as Record<string, string>;
  expect(Date.parse(retrievalDateISO ?? '')).toBeGreaterThan(0);
  return publicKey ?? '';
}

function isSigned({ bytes, headers }: Received, key: string): boolean {
  return verify('RSA-SHA256', bytes, key, Buffer.from(String(headers.signature), 'base64'));
}

describe('a delivery', () => {
  it('has the wire form of captured traffic', async () => {
    const { simulator, received } = await openDeliveries({ tplId: 77 });
    const orderId = simulator.createOrder({ customerId: 418 });
    const time = Date.UTC(2026, 1, 11, 16, 42, 19, 63);
    const event = await simulator.emit(orderId, 'OrderUpdate', { time });

    const [{ message, headers } = { message: {}, headers: {} }] = received;
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(message).toEqual({
      tplId: 77,
      wmsEventId: expect.any(Number),
      dateTime: '2026-02-11T16:42:19.0630000',
      eventDatetimeUtc: '2026-02-11T16:42:19.0630000',
      warehouseTransactionEventId: message.wmsEventId,
      createDatetimeUtc: expect.stringMatching(/^2026-02-11T16:42:19\.\d{3}0000$/),
      eventType: 'OrderUpdate',
      resource: { rel: 'orders/order', href: `/orders/${orderId}` },
      links: expect.any(String),
      data: JSON.stringify({ OrderId: orderId }),
    });
    expect(event.id).toBe(`77:${message.wmsEventId}`);
    expect(JSON.parse(message.links)).toEqual({
      'uiproperties/user': { LastModifiedBy: expect.stringMatching(/^\/uiproperties\/users\/\d+$/) },
      'customers/customer': '/customers/418',
      'properties/facility': expect.stringMatching(/^\/properties\/facilities\/\d+$/),
    });
  });

  it('carries the order as a GET shows it if the record includes resources', async () => {
    const resources = ['Default', 'Order items > Allocations', 'Packages'] as const;
    const { simulator, received } = await openDeliveries({ resources });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPackComplete');

    const { href, body } = received[0]?.message.resource ?? {};
    expect(href).toBe(`/orders/${orderId}?detail=OrderItems,Packages&itemdetail=Allocations`);
    expect((await getShown(simulator, href)).body).toEqual(body);
    expect(body.readOnly.packages).toHaveLength(1);
  });

  it('reports a deletion without a resource', async () => {
    const { simulator, received } = await openDeliveries({ resources: ['Default'] });
    await simulator.emit(simulator.createOrder(), 'OrderDeleted');
    expect(received[0]?.message.resource).not.toHaveProperty('body');
  });

  it('names the system, -1, if no person made the change', async () => {
    const { simulator, received } = await openDeliveries();
    await simulator.emit(simulator.createOrder(), 'OrderFullyAllocated');
    expect(JSON.parse(received[0]?.message.links)['uiproperties/user'].LastModifiedBy).toBe('/uiproperties/users/-1');
  });

  it('can be wrapped, with strings instead of objects and objects instead of strings', async () => {
    const manners = { wrapped: true, body: 'string', links: 'object' } as const;
    const { simulator, received } = await openDeliveries({ manners, resources: ['Default'] });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const { headers, body } = received[0]?.message ?? {};
    expect(headers).toBeTypeOf('object');
    expect(JSON.parse(body.resource.body).readOnly.orderId).toBe(Number(orderId));
    expect(body.data).toEqual({ OrderId: orderId });
    expect(body.links['customers/customer']).toMatch(/^\/customers\/\d+$/);
  });

  it.each([
    ['array', (body: unknown) => body],
    ['embedded', (body: { _embedded: object }) => Object.values(body._embedded)[0]],
    ['ResourceList', (body: { ResourceList: unknown }) => body.ResourceList],
  ] as const)('about stock has the rows of all stock of the item in the form %s', async (stockRows, rowsOf) => {
    const { simulator, received } = await openDeliveries({ manners: { stockRows }, types: ['Inventory Summary'] });
    const ids = ['', 'RED'].map((qualifier) => simulator.create('stock', { itemId: 7001, facilityId: 12, qualifier }));
    simulator.create('stock', { itemId: 7002 });
    await simulator.emit(ids[0] as string, 'InventorySummaryUpdate');
    expect(rowsOf(received[0]?.message.resource.body)).toMatchObject([{ qualifier: '' }, { qualifier: 'RED' }]);
  });

  it.each([
    ['name', 'OrderPackComplete'],
    ['alias', 'packcomplete'],
    ['label', 'Pack Complete'],
  ] as const)('spells the event by its %s', async (spelling, written) => {
    const { simulator, received } = await openDeliveries({ manners: { spelling } });
    await simulator.emit(simulator.createOrder(), 'OrderPackComplete');
    await simulator.emit(simulator.createOrder(), 'OrderConfirm');
    expect(received.map(({ message }) => message.eventType)).toEqual([written, 'OrderConfirm']);
    expect(findEntry(written)?.name).toBe('OrderPackComplete');
  });

  it('is signed with the key that the key endpoint serves without credentials', async () => {
    const { simulator, received } = await openDeliveries();
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const before = await publicKey(simulator);
    simulator.rotateKey();
    const after = await publicKey(simulator);
    await simulator.emit(orderId, 'OrderConfirm');

    expect(before).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    expect(received.map((delivery) => [isSigned(delivery, before), isSigned(delivery, after)])).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe('a delivery about a line of an order', () => {
  it('names the line and its order', async () => {
    const { simulator, received } = await openDeliveries({ types: ['Order Item'] });
    const orderId = simulator.createOrder({ lines: 2 });
    const [, second = ''] = simulator.orderItemIds(orderId);
    const event = await simulator.emit(orderId, 'OrderItemPick', { orderItemId: second });
    expect(event.subject).toEqual({ tenant: '9104', kind: 'order', id: orderId });
    expect(received[0]?.message).toMatchObject({
      eventType: 'OrderItemPick',
      data: JSON.stringify({ OrderId: orderId, OrderItemId: second }),
      links: expect.stringContaining('properties/facility'),
    });
    expect(received[0]?.message.resource).toEqual({ rel: 'orders/item', href: `/orders/${orderId}/items/${second}` });
  });

  it('carries the line as a GET shows it, with the sections that the record includes', async () => {
    const resources = ['Default', 'Item custom fields', 'Allocations with detail'] as const;
    const { simulator, received } = await openDeliveries({ types: ['Order Item'], resources });
    const orderId = simulator.createOrder();
    const [first = ''] = simulator.orderItemIds(orderId);
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await simulator.emit(orderId, 'OrderItemPack');
    const { href, body } = received[0]?.message.resource ?? {};
    expect(href).toBe(`/orders/${orderId}/items/${first}?detail=SavedElements,AllocationsWithDetail`);
    expect(body).toEqual((await getShown(simulator, href)).body);
    expect(body).toHaveProperty('savedElements');
    expect(body.readOnly.allocations[0]).toHaveProperty('detail');
  });
});

describe('a delivery about an item, stock or a held item', () => {
  it('(an item) names the item and its customer, and carries what a GET shows', async () => {
    const { simulator, received } = await openDeliveries({ types: ['Item'], resources: ['Default'] });
    const id = simulator.create('item', { customerId: 420 });
    await simulator.emit(id, 'ItemUpdate', { deactivated: true });
    const [{ message } = { message: {} }] = received;
    expect(message).toMatchObject({
      eventType: 'ItemUpdate',
      resource: { rel: 'customers/item', href: `/customers/420/items/${id}` },
      data: JSON.stringify({ ItemId: id, CustomerId: '420' }),
    });
    expect(JSON.parse(message.links)).toEqual({
      'uiproperties/user': { LastModifiedBy: expect.stringMatching(/users\/\d+$/) },
      'customers/customer': '/customers/420',
    });
    expect(message.resource.body).toEqual((await getShown(simulator, message.resource.href)).body);
    expect(message.resource.body.readOnly.deactivated).toBe(true);
    await simulator.emit(id, 'ItemDelete');
    expect(received[1]?.message.resource).not.toHaveProperty('body');
  });

  it('(stock) always carries its row', async () => {
    const { simulator, received } = await openDeliveries({ types: ['Inventory Summary'] });
    const id = simulator.create('stock', { facilityId: 14, itemId: 7002, qualifier: 'RED' });
    const levels = { totalReceived: 40, allocated: 30, available: 5, onHold: 5, onHand: 10 };
    await simulator.emit(id, 'InventorySummaryUpdate', { levels });
    expect(received[0]?.message).toMatchObject({
      eventType: 'InventorySummaryUpdate',
      resource: { rel: 'inventory/stocksummary', href: '/inventory/stocksummaries' },
      data: JSON.stringify({ FacilityId: '14', ItemId: '7002', Qualifier: 'RED' }),
      links: expect.stringContaining('"properties/facility":"/properties/facilities/14"'),
    });
    const row = { itemIdentifier: { id: 7002, sku: 'HDPHN-BLK' }, qualifier: 'RED', ...levels, facilityId: 14 };
    expect(received[0]?.message.resource.body).toEqual(row);
    expect((await get(simulator, '/inventory/stocksummaries')).body.summaries).toEqual([row]);
  });

  it('(a held item) carries the received item, without a reason after its release', async () => {
    const { simulator, received } = await openDeliveries({ types: ['Inventory Hold'], resources: ['Default'] });
    const id = simulator.create('hold', { customerId: 418, facilityId: 12, itemId: 7003, qualifier: 'A' });
    await simulator.emit(id, 'InventoryPlaceOnHold');
    await simulator.emit(id, 'InventoryReleaseFromHold');
    expect(received.map(({ message }) => [message.eventType, message.data])).toEqual([
      ['InventoryPlaceOnHold', `{"ReceiveItemId":"${id}"}`],
      ['InventoryReleaseFromHold', `{"ReceiveItemId":"${id}"}`],
    ]);
    const [held, released] = received.map(({ message }) => message.resource);
    expect(held).toEqual({
      rel: 'inventory/receiveitem',
      href: `/inventory/receiveitems/${id}`,
      body: {
        readOnly: {
          receiveItemId: Number(id),
          customerIdentifier: { id: 418, name: 'Alder Tea Company', externalId: 'ALDER' },
          facilityIdentifier: { id: 12, name: 'Reno' },
        },
        itemIdentifier: { id: 7003, sku: 'TIRE-700C' },
        qualifier: 'A',
        qty: expect.any(Number),
        onHold: true,
        onHoldReason: expect.any(String),
      },
    });
    expect(released.body.onHold).toBe(false);
    expect(released.body).not.toHaveProperty('onHoldReason');
  });

  it.each(['Item', 'Inventory Hold'] as const)(
    '(%s) carries no resource if the record does not include it',
    async (type) => {
      const { simulator, received } = await openDeliveries({ types: [type] });
      const isItem = type === 'Item';
      await simulator.emit(simulator.create(isItem ? 'item' : 'hold'), isItem ? 'ItemCreate' : 'InventoryPlaceOnHold');
      expect(received[0]?.message.resource).not.toHaveProperty('body');
    },
  );

  it('is written in every form', async () => {
    const types = ['Inventory Summary', 'Inventory Hold', 'Order Item'] as const;
    const { simulator, received } = await openDeliveries({
      manners: { body: 'string', links: 'object', wrapped: true, spelling: 'alias' },
      types,
    });
    await simulator.emit(simulator.create('stock'), 'InventorySummaryUpdate');
    await simulator.emit(simulator.create('hold'), 'InventoryPlaceOnHold');
    await simulator.emit(simulator.createOrder(), 'OrderItemUnpick');
    expect(received.map(({ message }) => message.body.eventType)).toEqual([
      'stocksummaryupdate',
      'placeonhold',
      'orderitemunpicked',
    ]);
    expect(received.map(({ message }) => typeof message.body.data)).toEqual(['object', 'object', 'object']);
    expect(JSON.parse(received[0]?.message.body.resource.body)).toHaveProperty('onHand');
  });
});

describe('a delivery about a receipt, adjustment or assembly', () => {
  const kinds = [
    ['Receipt', 'receipt', 'ReceiptConfirm', '/inventory/receivers/', 'inventory/receiver', 'ReceiverId'],
    [
      'Adjustment',
      'adjustment',
      'AdjustmentConfirm',
      '/inventory/adjustments/',
      'inventory/adjustment',
      'AdjustmentId',
    ],
    ['Assembly', 'assembly', 'AssemblyConfirm', '/inventory/assemblies/', 'inventory/assembly', 'AssemblyId'],
  ] as const;

  it.each(kinds)("(%s) has the form of an order's", async (eventType, kind, name, path, rel, idName) => {
    const { simulator, received } = await openDeliveries({ tplId: 77, types: [eventType] });
    const id = simulator.create(kind, { customerId: 418 });
    const event = await simulator.emit(id, name);
    expect(event).toMatchObject({ subject: { tenant: '77', kind, id }, name });
    expect(received.map(({ message }) => message)).toEqual([
      expect.objectContaining({
        tplId: 77,
        eventType: name,
        resource: { rel, href: path + id },
        data: `{"${idName}":"${id}"}`,
        links: expect.stringContaining('"customers/customer":"/customers/418"'),
      }),
    ]);
    expect(event.id).toBe(`77:${received[0]?.message.wmsEventId}`);
  });

  it.each(kinds)('(%s) carries what a GET shows if the record includes it', async (eventType, kind, name, path) => {
    const { simulator, received } = await openDeliveries({ types: [eventType], resources: ['Default'] });
    const id = simulator.create(kind);
    await simulator.emit(id, name);
    const { href, body } = received[0]?.message.resource ?? {};
    expect(href).toBe(path + id);
    expect((await getShown(simulator, href)).body).toEqual(body);
    expect(body.readOnly).toMatchObject(kind === 'receipt' ? { status: 1 } : { deferNotification: false });
  });

  it('carries the sections of a receipt that the record includes', async () => {
    const resources = ['Default', 'Receipt custom fields', 'Billing details', 'Receive items'] as const;
    const { simulator, received } = await openDeliveries({ types: ['Receipt'], resources });
    const id = simulator.create('receipt');
    await simulator.emit(id, 'ReceiptCreate');
    const { href, body } = received[0]?.message.resource ?? {};
    expect(href).toBe(`/inventory/receivers/${id}?detail=SavedElements,BillingDetails,ReceiveItems`);
    expect((await getShown(simulator, href)).body).toEqual(body);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['savedElements', 'billing', '_embedded']));
  });

  it('reports a deletion without a resource', async () => {
    const { simulator, received } = await openDeliveries({ types: ['Receipt'], resources: ['Default'] });
    await simulator.emit(simulator.create('receipt'), 'ReceiptDelete');
    expect(received[0]?.message.resource).not.toHaveProperty('body');
  });

  it.each([
    ['name', ['ReceiptConfirm', 'AdjustmentDelete', 'AssemblyCreate']],
    ['alias', ['receiverconfirm', 'adjustmentdeleted', 'AssemblyCreate']],
    ['label', ['Confirm', 'Delete', 'Create']],
  ] as const)('spells the event by its %s', async (spelling, written) => {
    const { simulator, received } = await openDeliveries({
      manners: { spelling },
      types: ['Receipt', 'Adjustment', 'Assembly'],
    });
    await simulator.emit(simulator.create('receipt'), 'ReceiptConfirm');
    await simulator.emit(simulator.create('adjustment'), 'AdjustmentDelete');
    await simulator.emit(simulator.create('assembly'), 'AssemblyCreate');
    expect(received.map(({ message }) => message.eventType)).toEqual(written);
  });
});
