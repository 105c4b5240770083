import { verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findEntry } from '../../../../src/domain/catalogue/catalogue.ts';
import { openDeliveries, type Received } from '../open.ts';

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
