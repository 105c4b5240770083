import { startStub } from './stub-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: what was sent is checked by these rules alone
type Json = Readonly<Record<string, any>>;

export const HERE = 'gid://shopify/Location/1';

interface Line {
  readonly id: string;
  readonly sku: string;
  remainingQuantity: number;
}

interface Fulfillment {
  readonly id: string;
  status: string;
  readonly location: { readonly id: string };
  trackingInfo: { number: string; company: string; url: string }[];
  readonly lines: { readonly line: Line; readonly quantity: number }[];
}

/** Enforces the rules of the Admin API 2026-04 that shopify.dev publishes for what the connector asks. */
export async function startShopify(stock: Readonly<Record<string, number>>) {
  const lines: Line[] = Object.entries(stock).map(([sku, quantity], index) => ({
    id: `gid://shopify/FulfillmentOrderLineItem/${index + 1}`,
    sku,
    remainingQuantity: quantity,
  }));
  const fulfillments: Fulfillment[] = [];
  const available = new Map<string, number>();
  const keys = new Set<string>();
  const failures: string[] = [];
  const asked: string[] = [];

  const refuse = (message: string) => [{ field: null, message }];
  const lineOf = (id: string) => lines.find((line) => line.id === id);

  function create({ fulfillment }: Json) {
    const { lineItemsByFulfillmentOrder: groups = [], trackingInfo = {} } = fulfillment as Json;
    const items = (groups as readonly Json[]).flatMap((group) => group.fulfillmentOrderLineItems as readonly Json[]);
    if (items.length === 0) return refuse('would fulfill all that is left of the fulfillment order');
    for (const { id, quantity } of items) {
      const line = lineOf(id as string);
      if (!line || !Number.isInteger(quantity) || quantity < 1) return refuse('Invalid fulfillment order line item');
      if (quantity > line.remainingQuantity) return refuse('Quantity exceeds what remains to be fulfilled');
    }
    const taken = items.map(({ id, quantity }) => ({ line: lineOf(id as string) as Line, quantity: Number(quantity) }));
    for (const { line, quantity } of taken) line.remainingQuantity -= quantity;
    fulfillments.push({
      id: `gid://shopify/Fulfillment/${fulfillments.length + 1}`,
      status: 'SUCCESS',
      location: { id: HERE },
      trackingInfo: toInfo(trackingInfo as Json),
      lines: taken,
    });
    return [];
  }

  function toInfo({ number, numbers = number === undefined ? [] : [number], urls = [], company }: Json) {
    return (numbers as string[]).map((one, index) => ({
      number: one,
      company,
      url: (urls as string[])[index] as string,
    }));
  }

  function set({ input, key }: Json, query: string) {
    if (!/@idempotent\(key: \$key\)/.test(query) || !key) return refuse('The @idempotent directive is required');
    const { name, reason, quantities, referenceDocumentUri } = input as Json;
    if (name !== 'available' && name !== 'on_hand') return refuse('name must be available or on_hand');
    if (!['correction', 'received', 'cycle_count_available'].includes(reason)) return refuse('Unknown reason');
    if (!URL.canParse(referenceDocumentUri)) return refuse('Invalid referenceDocumentUri');
    for (const quantity of quantities as readonly Json[]) {
      if (!('changeFromQuantity' in quantity)) return refuse('changeFromQuantity is required');
      if (!Number.isInteger(quantity.quantity)) return refuse('Int cannot represent non-integer value');
      if (!keys.has(key)) available.set(quantity.inventoryItemId, quantity.quantity);
    }
    keys.add(key);
    return [];
  }

  function track({ id, tracking }: Json) {
    const found = fulfillments.find((one) => one.id === id);
    if (found) found.trackingInfo = toInfo(tracking as Json);
    return found ? [] : refuse('Fulfillment does not exist');
  }

  function cancel({ id }: Json) {
    const found = fulfillments.find((one) => one.id === id);
    if (found?.status !== 'SUCCESS') return refuse('Fulfillment cannot be canceled');
    found.status = 'CANCELLED';
    for (const { line, quantity } of found.lines) line.remainingQuantity += quantity;
    return [];
  }

  const orders = ({ query }: Json) => ({
    nodes:
      query === 'name:"#1042"'
        ? [
            {
              id: 'gid://shopify/Order/1',
              fulfillments: fulfillments.map(({ lines: taken, ...one }) => ({
                ...one,
                fulfillmentLineItems: {
                  nodes: taken.map(({ line, quantity }) => ({ quantity, lineItem: { sku: line.sku } })),
                },
              })),
              fulfillmentOrders: {
                nodes: [
                  {
                    id: 'gid://shopify/FulfillmentOrder/1',
                    assignedLocation: { location: { id: HERE } },
                    supportedActions: lines.some((line) => line.remainingQuantity > 0)
                      ? [{ action: 'CREATE_FULFILLMENT' }]
                      : [],
                    lineItems: { nodes: lines.map((line) => ({ ...line })) },
                  },
                  {
                    id: 'gid://shopify/FulfillmentOrder/2',
                    assignedLocation: { location: { id: 'gid://shopify/Location/2' } },
                    supportedActions: [{ action: 'CREATE_FULFILLMENT' }],
                    lineItems: { nodes: [{ id: 'elsewhere', sku: 'MUG', remainingQuantity: 9 }] },
                  },
                ],
              },
            },
          ]
        : [],
  });
  const items = ({ query }: Json) => ({
    nodes: query === 'sku:"MUG"' ? [{ id: 'gid://shopify/InventoryItem/7' }] : [],
  });

  const url = await startStub(({ url: { pathname }, headers, body }) => {
    if (pathname !== '/admin/api/2026-04/graphql.json') return { status: 404, body: { errors: 'Not Found' } };
    if (headers['x-shopify-access-token'] !== 'shpat_1') return { status: 401, body: { errors: 'Invalid API key' } };
    const { query, variables } = JSON.parse(body);
    const [, name = ''] = /^(?:query|mutation) (\w+)/.exec(query) ?? [];
    asked.push(name);
    const failure = failures.shift();
    if (failure === name)
      return { status: 200, body: { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] } };
    if (name === 'orders') return { status: 200, body: { data: { orders: orders(variables) } } };
    if (name === 'items') return { status: 200, body: { data: { inventoryItems: items(variables) } } };
    const mutations: Record<string, () => unknown[]> = {
      fulfillmentCreate: () => create(variables),
      fulfillmentTrackingInfoUpdate: () => track(variables),
      fulfillmentCancel: () => cancel(variables),
      inventorySetQuantities: () => set(variables, query),
    };
    return { status: 200, body: { data: { [name]: { userErrors: mutations[name]?.() ?? refuse('unknown') } } } };
  });

  return {
    url,
    available,
    asked,
    /** Fails the next request but so many, if it is of that name. */
    fail: (name: string, after: number) => failures.push(...Array<string>(after).fill(''), name),
    /** Active fulfillments: their tracking numbers, and what is in them. */
    active: () =>
      fulfillments
        .filter(({ status }) => status === 'SUCCESS')
        .map(({ trackingInfo, lines: taken }) => [
          trackingInfo.map(({ number }) => number).join(),
          taken.map(({ line, quantity }) => `${quantity} ${line.sku}`).join(),
        ]),
    tracked: () => fulfillments.flatMap(({ trackingInfo }) => trackingInfo),
  };
}
