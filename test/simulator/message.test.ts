import { verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findEntry } from '../../src/domain/catalogue.ts';
import { everyEvent, everyOrderEvent, get, openReceiver, openSimulator, type Received } from './open.ts';

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
    const simulator = await openSimulator({ tplId: 77 });
    const { url, received } = await openReceiver();
    simulator.setWebhooks([everyOrderEvent(url)]);
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

  it('carries the order as a GET shows it where the record includes resources', async () => {
    const simulator = await openSimulator();
    const { url, received } = await openReceiver();
    const resources = ['Default', 'Order items > Allocations', 'Packages'] as const;
    simulator.setWebhooks([{ ...everyOrderEvent(url), resources }]);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderPackComplete');

    const { href, body } = received[0]?.message.resource ?? {};
    expect(href).toBe(`/orders/${orderId}?detail=OrderItems,Packages&itemdetail=Allocations`);
    expect((await get(simulator, href)).body).toEqual(body);
    expect(body.readOnly.packages).toHaveLength(1);
  });

  it('tells of a deletion without a resource', async () => {
    const simulator = await openSimulator();
    const { url, received } = await openReceiver();
    simulator.setWebhooks([{ ...everyOrderEvent(url), resources: ['Default'] }]);
    await simulator.emit(simulator.createOrder(), 'OrderDeleted');
    expect(received[0]?.message.resource).not.toHaveProperty('body');
  });

  it('names the system, -1, where no person did it', async () => {
    const simulator = await openSimulator();
    const { url, received } = await openReceiver();
    simulator.setWebhooks([everyOrderEvent(url)]);
    await simulator.emit(simulator.createOrder(), 'OrderFullyAllocated');
    expect(JSON.parse(received[0]?.message.links)['uiproperties/user'].LastModifiedBy).toBe('/uiproperties/users/-1');
  });

  it('can be wrapped, with strings for objects and objects for strings', async () => {
    const form = { wrapped: true, body: 'string', links: 'object' } as const;
    const simulator = await openSimulator({ form });
    const { url, received } = await openReceiver();
    simulator.setWebhooks([{ ...everyOrderEvent(url), resources: ['Default'] }]);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    const { headers, body } = received[0]?.message ?? {};
    expect(headers).toBeTypeOf('object');
    expect(JSON.parse(body.resource.body).readOnly.orderId).toBe(Number(orderId));
    expect(body.data).toEqual({ OrderId: orderId });
    expect(body.links['customers/customer']).toMatch(/^\/customers\/\d+$/);
  });

  it.each([
    ['name', 'OrderPackComplete'],
    ['alias', 'packcomplete'],
    ['label', 'Pack Complete'],
  ] as const)('spells the event by its %s', async (spelling, written) => {
    const simulator = await openSimulator({ form: { spelling } });
    const { url, received } = await openReceiver();
    simulator.setWebhooks([everyOrderEvent(url)]);
    await simulator.emit(simulator.createOrder(), 'OrderPackComplete');
    await simulator.emit(simulator.createOrder(), 'OrderConfirm');
    expect(received.map(({ message }) => message.eventType)).toEqual([written, 'OrderConfirm']);
    expect(findEntry(written)?.name).toBe('OrderPackComplete');
  });

  it('is signed with the key that the key endpoint serves without credentials', async () => {
    const simulator = await openSimulator();
    const { url, received } = await openReceiver();
    simulator.setWebhooks([everyOrderEvent(url)]);
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
    const simulator = await openSimulator({ tplId: 77 });
    const { url, received } = await openReceiver();
    simulator.setWebhooks([everyEvent(eventType, url)]);
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

  it.each(kinds)('(%s) carries what a GET shows where the record includes it', async (eventType, kind, name, path) => {
    const simulator = await openSimulator();
    const { url, received } = await openReceiver();
    simulator.setWebhooks([{ ...everyEvent(eventType, url), resources: ['Default'] }]);
    const id = simulator.create(kind);
    await simulator.emit(id, name);
    const { href, body } = received[0]?.message.resource ?? {};
    expect(href).toBe(path + id);
    expect((await get(simulator, href)).body).toEqual(body);
    expect(body.readOnly.status).toBe(1);
  });

  it('carries the sections of a receipt that the record includes', async () => {
    const simulator = await openSimulator();
    const { url, received } = await openReceiver();
    const resources = ['Default', 'Receipt custom fields', 'Billing details', 'Receive items'] as const;
    simulator.setWebhooks([{ ...everyEvent('Receipt', url), resources }]);
    const id = simulator.create('receipt');
    await simulator.emit(id, 'ReceiptCreate');
    const { href, body } = received[0]?.message.resource ?? {};
    expect(href).toBe(`/inventory/receivers/${id}?detail=SavedElements,BillingDetails,ReceiveItems`);
    expect((await get(simulator, href)).body).toEqual(body);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['savedElements', 'billing', '_embedded']));
  });

  it('tells of a deletion without a resource', async () => {
    const simulator = await openSimulator();
    const { url, received } = await openReceiver();
    simulator.setWebhooks([{ ...everyEvent('Receipt', url), resources: ['Default'] }]);
    await simulator.emit(simulator.create('receipt'), 'ReceiptDelete');
    expect(received[0]?.message.resource).not.toHaveProperty('body');
  });

  it.each([
    ['name', ['ReceiptConfirm', 'AdjustmentDelete', 'AssemblyCreate']],
    ['alias', ['receiverconfirm', 'adjustmentdeleted', 'AssemblyCreate']],
    ['label', ['ReceiptConfirm', 'AdjustmentDelete', 'AssemblyCreate']],
  ] as const)('spells the event by its %s, a label by its name', async (spelling, written) => {
    const simulator = await openSimulator({ form: { spelling } });
    const { url, received } = await openReceiver();
    simulator.setWebhooks((['Receipt', 'Adjustment', 'Assembly'] as const).map((type) => everyEvent(type, url)));
    await simulator.emit(simulator.create('receipt'), 'ReceiptConfirm');
    await simulator.emit(simulator.create('adjustment'), 'AdjustmentDelete');
    await simulator.emit(simulator.create('assembly'), 'AssemblyCreate');
    expect(received.map(({ message }) => message.eventType)).toEqual(written);
  });
});
