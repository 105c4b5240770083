// Completes orders of a WooCommerce shop, and sets its stock: SHOP_URL=https://… WOOCOMMERCE_KEY=ck_… WOOCOMMERCE_SECRET=cs_… node woocommerce.ts
import type { OrderAdvice, StockAdvice } from '@dockline/consumer';
import type { Connector } from './receiver.ts';

/** REST API v3, https://woocommerce.github.io/woocommerce-rest-api-docs/ */
const API = '/wp-json/wc/v3';

interface WooCommerce {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

interface Product {
  readonly id: number;
  readonly type: string;
  readonly parent_id: number;
}

export function createWooCommerceConnector({ url, key, secret }: WooCommerce): Connector {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(url + API + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok)
      throw new Error(`WooCommerce answered ${response.status}: ${(await response.text()).slice(0, 200)}`);
    return (await response.json()) as T;
  }

  /** A note that is there already was left by an earlier attempt. */
  async function leaveNote(order: string, note: string): Promise<void> {
    const notes = await ask<{ note: string }[]>('GET', `/orders/${order}/notes`);
    if (notes.some((it) => it.note === note)) return;
    await ask('POST', `/orders/${order}/notes`, { note, customer_note: true });
  }

  /** An order of which something is missing stays as it is, and the customer is told what comes. */
  async function ship(advice: OrderAdvice): Promise<void> {
    const order = numberOf(advice);
    const numbers = advice.trackingNumbers ?? [];
    const meta_data = [{ key: 'dockline_tracking_numbers', value: numbers.join(',') }];
    await ask('PUT', `/orders/${order}`, { meta_data, ...(advice.isComplete && { status: 'completed' }) });
    const goods = (advice.lines ?? []).filter(({ shipped = 0 }) => shipped > 0);
    const contents = goods.map(({ sku, shipped }) => `${shipped} × ${sku}`).join(', ');
    const by = [advice.carrier?.name, ...numbers].filter(Boolean).join(' ');
    await leaveNote(
      order,
      `Shipped: ${contents}${by && ` (${by})`}${advice.isComplete === false ? '. The rest follows.' : '.'}`,
    );
  }

  async function setStock({ sku, available }: StockAdvice): Promise<void> {
    if (sku === undefined || available === undefined) return;
    const [product] = await ask<Product[]>('GET', `/products?sku=${encodeURIComponent(sku)}`);
    if (!product) return console.log(`the shop has no product ${sku}: not set`);
    const { id, type, parent_id: parent } = product;
    const path = type === 'variation' ? `/products/${parent}/variations/${id}` : `/products/${id}`;
    // A part of a product cannot be sold.
    await ask('PUT', path, { manage_stock: true, stock_quantity: Math.floor(available) });
  }

  return async ({ type, data }) => {
    if (type === 'dockline.stock.changed' && data.advice) await setStock(data.advice);
    if (type === 'dockline.order.unconfirmed' && data.advice)
      await ask('PUT', `/orders/${numberOf(data.advice)}`, { status: 'processing' });
    const isShipping = type === 'dockline.order.confirmed' || type === 'dockline.order.updated';
    if (isShipping && data.advice?.isShipped) await ship(data.advice);
  };
}

/** Id of the order in the shop: the warehouse's order number, such as `#1042`. */
function numberOf({ orderNumber = '' }: OrderAdvice): string {
  const [, number] = /^#?(\d+)$/.exec(orderNumber) ?? [];
  if (number === undefined) throw new Error(`${orderNumber} is not the number of an order of WooCommerce`);
  return number;
}

if (import.meta.main) {
  const { serve } = await import('./receiver.ts');
  const { SHOP_URL: url = '', WOOCOMMERCE_KEY: key = '', WOOCOMMERCE_SECRET: secret = '' } = process.env;
  await serve(createWooCommerceConnector({ url, key, secret }));
}
