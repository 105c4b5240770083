// Makes fulfillments of what a warehouse ships, and sets what can be sold: SHOP_URL=https://….myshopify.com SHOPIFY_TOKEN=… SHOPIFY_LOCATION=gid://shopify/Location/… node shopify.ts
import type { OrderAdvice, StockAdvice } from '@dockline/consumer';
import type { Connector } from './receiver.ts';
import {
  ask,
  CANCEL,
  CREATE,
  type FulfillmentOrder,
  ITEMS,
  ORDERS,
  type Order,
  SET,
  type Shopify,
  TRACK,
} from './shopify-api.ts';

export function createShopifyConnector(shop: Shopify): Connector {
  const { location } = shop;
  async function findOrder({ orderNumber }: OrderAdvice) {
    const { orders } = await ask<{ orders: { nodes: Order[] } }>(shop, ORDERS, { query: `name:"${orderNumber}"` });
    const [order, other] = orders.nodes;
    if (!order || other) throw new Error(`Shopify has ${order ? 'several orders' : 'no order'} ${orderNumber}`);
    const own = order.fulfillments.filter((it) => it.status === 'SUCCESS' && it.location?.id === location);
    return { own, open: order.fulfillmentOrders.nodes.filter(isOpenHere) };
  }

  const isOpenHere = ({ assignedLocation, supportedActions }: FulfillmentOrder) =>
    assignedLocation.location?.id === location &&
    supportedActions.some(({ action }) => action === 'CREATE_FULFILLMENT');

  /** Whatever was done before: makes the fulfillments that are missing, each of no more than shipped and was not fulfilled yet. */
  async function fulfill(advice: OrderAdvice): Promise<void> {
    const { own, open } = await findOrder(advice);
    const due = countBySku(advice.lines?.map(({ sku, shipped }) => ({ sku, quantity: shipped })));
    for (const { quantity, lineItem } of own.flatMap((it) => it.fulfillmentLineItems.nodes))
      due.set(lineItem.sku, (due.get(lineItem.sku) ?? 0) - quantity);
    const untracked = own.filter(({ trackingInfo }) => trackingInfo.every(({ number }) => !number));
    for (const { numbers, urls, goods } of parcelsOf(advice)) {
      if (own.some(({ trackingInfo }) => trackingInfo.some(({ number }) => number && numbers.includes(number))))
        continue;
      const tracking = { company: advice.carrier?.name, numbers, urls };
      const lineItemsByFulfillmentOrder = take(open, goods, due);
      const known = lineItemsByFulfillmentOrder.length === 0 && numbers.length > 0 && untracked.shift();
      if (known) await ask(shop, TRACK, { id: known.id, tracking });
      if (lineItemsByFulfillmentOrder.length > 0)
        await ask(shop, CREATE, {
          fulfillment: { lineItemsByFulfillmentOrder, trackingInfo: tracking, notifyCustomer: true },
        });
    }
  }

  async function setAvailable({ sku, available }: StockAdvice, key: string): Promise<void> {
    if (sku === undefined || available === undefined) return;
    const { inventoryItems } = await ask<{ inventoryItems: { nodes: { id: string }[] } }>(shop, ITEMS, {
      query: `sku:"${sku}"`,
    });
    const [item, other] = inventoryItems.nodes;
    if (!item || other) return console.log(`Shopify has ${item ? 'several items' : 'no item'} ${sku}: not set`);
    // The warehouse knows best, so that nothing is compared; a part of an item cannot be sold.
    const quantity = {
      inventoryItemId: item.id,
      locationId: location,
      quantity: Math.floor(available),
      changeFromQuantity: null,
    };
    const referenceDocumentUri = `gid://dockline/Announcement/${encodeURIComponent(key)}`;
    await ask(shop, SET, {
      key,
      input: { name: 'available', reason: 'correction', referenceDocumentUri, quantities: [quantity] },
    });
  }

  return async ({ id, type, data }) => {
    if (type === 'dockline.stock.changed' && data.advice) await setAvailable(data.advice, id);
    if (type === 'dockline.order.unconfirmed' && data.advice)
      for (const { id: fulfillment } of (await findOrder(data.advice)).own)
        await ask(shop, CANCEL, { id: fulfillment });
    const isShipping = type === 'dockline.order.confirmed' || type === 'dockline.order.updated';
    if (isShipping && data.advice?.isShipped) await fulfill(data.advice);
  };
}

function countBySku(goods: readonly { sku?: string | undefined; quantity?: number | undefined }[] = []) {
  const counts = new Map<string, number>();
  for (const { sku = '', quantity = 0 } of goods) counts.set(sku, (counts.get(sku) ?? 0) + quantity);
  return counts;
}

/** Everything is in one parcel, if the warehouse does not say what is in which. */
function parcelsOf({ parcels = [], lines, trackingNumbers = [], trackingUrl }: OrderAdvice) {
  const filled = parcels.filter((parcel) => parcel.lines);
  if (filled.length === 0)
    return [
      {
        numbers: trackingNumbers,
        urls: [trackingUrl].filter(Boolean),
        goods: countBySku(lines?.map(({ sku, shipped }) => ({ sku, quantity: shipped }))),
      },
    ];
  return filled.map((parcel) => ({
    numbers: [parcel.trackingNumber].filter((number) => number !== undefined),
    urls: [parcel.trackingUrl].filter(Boolean),
    goods: countBySku(parcel.lines),
  }));
}

/** Takes goods of a parcel from what is open, and what is due; Shopify counts whole items. */
function take(open: readonly FulfillmentOrder[], goods: ReadonlyMap<string, number>, due: Map<string, number>) {
  const left = new Map(goods);
  return open.flatMap(({ id: fulfillmentOrderId, lineItems }) => {
    const fulfillmentOrderLineItems = lineItems.nodes.flatMap((line) => {
      const quantity = Math.min(left.get(line.sku) ?? 0, due.get(line.sku) ?? 0, line.remainingQuantity);
      if (quantity <= 0) return [];
      if (!Number.isInteger(quantity)) throw new Error(`Shopify cannot fulfill ${quantity} of ${line.sku}`);
      line.remainingQuantity -= quantity;
      for (const rest of [left, due]) rest.set(line.sku, (rest.get(line.sku) ?? 0) - quantity);
      return [{ id: line.id, quantity }];
    });
    return fulfillmentOrderLineItems.length > 0 ? [{ fulfillmentOrderId, fulfillmentOrderLineItems }] : [];
  });
}

if (import.meta.main) {
  const { serve } = await import('./receiver.ts');
  const { SHOP_URL: url = '', SHOPIFY_TOKEN: token = '', SHOPIFY_LOCATION: location = '' } = process.env;
  await serve(createShopifyConnector({ url, token, location }));
}
