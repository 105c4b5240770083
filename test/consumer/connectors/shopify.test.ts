import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createShopifyConnector } from '../../../consumer/examples/connectors/shopify.ts';
import { announcementWith } from './announcement.ts';
import { HERE, startShopify } from './shopify-stub.ts';

const url = 'https://www.ups.com/track?tracknum=';

/** Advice of an order of ten mugs and two teas, of which some have shipped. */
function shippedIn(parcels: readonly { number?: string; goods: Readonly<Record<string, number>> }[]) {
  const total = (sku: string) => parcels.reduce((sum, { goods }) => sum + (goods[sku] ?? 0), 0);
  return {
    orderNumber: '#1042',
    isShipped: true,
    carrier: { name: 'UPS', scac: 'UPSN' },
    trackingNumbers: parcels.flatMap(({ number }) => number ?? []),
    lines: [
      { lineId: '1', sku: 'MUG', ordered: 10, shipped: total('MUG') },
      { lineId: '2', sku: 'TEA', ordered: 2, shipped: total('TEA') },
    ],
    parcels: parcels.map(({ number, goods }) => ({
      ...(number && { trackingNumber: number, trackingUrl: url + number }),
      lines: Object.entries(goods).map(([sku, quantity]) => ({ sku, quantity })),
    })),
  };
}

async function open(stock: Readonly<Record<string, number>> = { MUG: 10, TEA: 2 }) {
  const shop = await startShopify(stock);
  const connect = createShopifyConnector({ url: shop.url, token: 'shpat_1', location: HERE });
  const database = new DatabaseSync(':memory:');
  return {
    shop,
    send: async (type: string, advice: object, id?: string) => connect(announcementWith(type, advice, id), database),
  };
}

const first = { number: '1Z1', goods: { MUG: 8, TEA: 1 } };
const second = { number: '1Z2', goods: { MUG: 2, TEA: 1 } };

it('a confirmed order is fulfilled with what shipped, a fulfillment for each parcel, with its number and link', async () => {
  const { shop, send } = await open();
  await send('order.confirmed', shippedIn([first, second]));
  expect(shop.active()).toEqual([
    ['1Z1', '8 MUG,1 TEA'],
    ['1Z2', '2 MUG,1 TEA'],
  ]);
  expect(shop.tracked()).toEqual([
    { number: '1Z1', company: 'UPS', url: `${url}1Z1` },
    { number: '1Z2', company: 'UPS', url: `${url}1Z2` },
  ]);
});

it('the same announcement twice makes one fulfillment, also after an attempt that failed halfway', async () => {
  const { shop, send } = await open();
  shop.fail('fulfillmentCreate', 2);
  await expect(send('order.confirmed', shippedIn([first, second]))).rejects.toThrow('Throttled');
  expect(shop.active()).toEqual([['1Z1', '8 MUG,1 TEA']]);
  for (let n = 0; n < 2; n += 1) await send('order.confirmed', shippedIn([first, second]));
  expect(shop.active()).toHaveLength(2);
});

it('a parcel that leaves later is a second fulfillment', async () => {
  const { shop, send } = await open();
  await send('order.confirmed', shippedIn([first]));
  await send('order.updated', shippedIn([first, second]));
  expect(shop.active()).toEqual([
    ['1Z1', '8 MUG,1 TEA'],
    ['1Z2', '2 MUG,1 TEA'],
  ]);
});

it('what is missing is not fulfilled, however often the order is announced without a tracking number', async () => {
  const { shop, send } = await open();
  const untracked = shippedIn([{ goods: { MUG: 8 } }]);
  for (let n = 0; n < 3; n += 1) await send('order.confirmed', untracked);
  expect(shop.active()).toEqual([['', '8 MUG']]);
  await send('order.updated', shippedIn([{ number: '1Z1', goods: { MUG: 8 } }]));
  expect(shop.active()).toEqual([['1Z1', '8 MUG']]);
});

it('an order whose parcels have no contents is one fulfillment with all numbers', async () => {
  const { shop, send } = await open();
  const { parcels: _, ...advice } = shippedIn([first, second]);
  await send('order.confirmed', advice);
  expect(shop.active()).toEqual([['1Z1,1Z2', '10 MUG,2 TEA']]);
});

it('a reopened order loses its fulfillments, and gets others once it is confirmed again', async () => {
  const { shop, send } = await open();
  const advice = shippedIn([first]);
  await send('order.confirmed', advice);
  await send('order.unconfirmed', { ...advice, isShipped: false });
  expect(shop.active()).toEqual([]);
  await send('order.confirmed', advice);
  expect(shop.active()).toEqual([['1Z1', '8 MUG,1 TEA']]);
});

it('nothing is done with an order that has not shipped, and one that Shopify does not have is an error', async () => {
  const { shop, send } = await open();
  await send('order.updated', { orderNumber: '#1042', isShipped: false, lines: [] });
  expect(shop.asked).toEqual([]);
  await expect(send('order.confirmed', { ...shippedIn([first]), orderNumber: '#7' })).rejects.toThrow('no order #7');
});

it('stock is set to what is available, once for each announcement; a part of an item is not sold', async () => {
  const { shop, send } = await open();
  await send('stock.changed', { sku: 'MUG', available: 12.5, allocated: 900 }, 'stock:1/1/changed');
  expect([...shop.available]).toEqual([['gid://shopify/InventoryItem/7', 12]]);
  await send('stock.changed', { sku: 'MUG', available: 0 }, 'stock:1/2/changed');
  await send('stock.changed', { sku: 'MUG', available: 12.5 }, 'stock:1/1/changed');
  expect([...shop.available]).toEqual([['gid://shopify/InventoryItem/7', 0]]);
  await send('stock.changed', { sku: 'UNKNOWN', available: 3 });
  expect(shop.available.size).toBe(1);
});
