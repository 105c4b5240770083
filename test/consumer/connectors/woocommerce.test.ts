import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createWooCommerceConnector } from '../../../consumer/examples/connectors/woocommerce.ts';
import { announcementWith } from './announcement.ts';
import { startStub } from './stub-server.ts';

const statuses = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'];

/** Enforces the rules of the REST API v3 for orders, notes and products. */
async function open() {
  const order = { status: 'processing', meta_data: [] as unknown[] };
  const notes: { readonly note: string; readonly customer_note: boolean }[] = [];
  const stock = new Map<string, unknown>();
  const products = [
    { id: 5, type: 'simple', parent_id: 0, sku: 'MUG' },
    { id: 6, type: 'variation', parent_id: 60, sku: 'TEA' },
  ];
  const fail = (status: number, code: string) => ({ status, body: { code, message: code, data: { status } } });
  const url = await startStub(({ method, url: { pathname, searchParams }, headers, body }) => {
    if (headers.authorization !== `Basic ${Buffer.from('ck_1:cs_1').toString('base64')}`)
      return fail(401, 'woocommerce_rest_cannot_edit');
    const path = pathname.replace('/wp-json/wc/v3', '');
    const given = body === '' ? {} : JSON.parse(body);
    if (/^\/orders\/\d+/.test(path) && !path.startsWith('/orders/1042'))
      return fail(404, 'woocommerce_rest_shop_order_invalid_id');
    switch (`${method} ${path}`) {
      case 'PUT /orders/1042':
        if (given.status !== undefined && !statuses.includes(given.status)) return fail(400, 'rest_invalid_param');
        Object.assign(order, given);
        return { status: 200, body: order };
      case 'GET /orders/1042/notes':
        return { status: 200, body: notes };
      case 'POST /orders/1042/notes':
        if (typeof given.note !== 'string') return fail(400, 'rest_missing_callback_param');
        notes.push(given);
        return { status: 201, body: given };
      case 'GET /products':
        return { status: 200, body: products.filter(({ sku }) => sku === searchParams.get('sku')) };
      case 'PUT /products/5':
      case 'PUT /products/60/variations/6':
        if (!Number.isInteger(given.stock_quantity)) return fail(400, 'rest_invalid_param');
        stock.set(path, given.manage_stock && given.stock_quantity);
        return { status: 200, body: {} };
      default:
        return fail(404, 'rest_no_route');
    }
  });
  const connect = createWooCommerceConnector({ url, key: 'ck_1', secret: 'cs_1' });
  const database = new DatabaseSync(':memory:');
  return {
    order,
    notes,
    stock,
    send: async (type: string, advice: object) => connect(announcementWith(type, advice), database),
  };
}

const shipped = {
  orderNumber: '1042',
  isShipped: true,
  isComplete: true,
  carrier: { name: 'UPS' },
  trackingNumbers: ['1Z1', '1Z2'],
  lines: [
    { sku: 'MUG', ordered: 10, shipped: 10 },
    { sku: 'TEA', ordered: 2, shipped: 2 },
  ],
};

it('an order that shipped in full is completed, and its customer told what shipped, once', async () => {
  const { order, notes, send } = await open();
  for (let n = 0; n < 2; n += 1) await send('order.confirmed', shipped);
  expect(order).toEqual({ status: 'completed', meta_data: [{ key: 'dockline_tracking_numbers', value: '1Z1,1Z2' }] });
  expect(notes).toEqual([{ note: 'Shipped: 10 × MUG, 2 × TEA (UPS 1Z1 1Z2).', customer_note: true }]);
});

it('one of which something is missing is not completed, and a reopened one is under way again', async () => {
  const { order, notes, send } = await open();
  const lines = [
    { sku: 'MUG', ordered: 10, shipped: 8 },
    { sku: 'TEA', ordered: 2, shipped: 0 },
  ];
  await send('order.confirmed', { ...shipped, isComplete: false, lines });
  expect([order.status, notes[0]?.note]).toEqual(['processing', 'Shipped: 8 × MUG (UPS 1Z1 1Z2). The rest follows.']);
  await send('order.updated', shipped);
  expect(order.status).toBe('completed');
  await send('order.unconfirmed', { ...shipped, isShipped: false });
  expect(order.status).toBe('processing');
});

it('stock is what is available, of products and of their variations', async () => {
  const { stock, send } = await open();
  await send('stock.changed', { sku: 'MUG', available: 12.5 });
  await send('stock.changed', { sku: 'TEA', available: 0 });
  await send('stock.changed', { sku: 'UNKNOWN', available: 4 });
  expect([...stock]).toEqual([
    ['/products/5', 12],
    ['/products/60/variations/6', 0],
  ]);
});

it('an order that the shop does not have is an error, so that it is announced again', async () => {
  const { send } = await open();
  await expect(send('order.confirmed', { ...shipped, orderNumber: '77' })).rejects.toThrow('invalid_id');
  await expect(send('order.confirmed', { ...shipped, orderNumber: 'A-1' })).rejects.toThrow('A-1 is not the number');
});
