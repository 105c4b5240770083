import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { catalogue, type Family } from '../../../src/domain/catalogue/catalogue.ts';
import { sayReason } from '../../../src/domain/quarantine.ts';
import { parseDelivery } from '../../../src/ingress/message/delivery.ts';

const parse = (message: object, aliases = '') =>
  parseDelivery({
    raw: Buffer.from(JSON.stringify({ tplId: 9104, wmsEventId: 1, ...message })),
    receivedAt: 1,
    defaultTenant: '9104',
    aliases: loadConfig({ WEBHOOK_EVENT_ALIASES: aliases }).WEBHOOK_EVENT_ALIASES,
  });

const row = { facilityId: 12, itemIdentifier: { id: 7001 }, qualifier: '' };

/** Relation, path and ids with which messages may name each family. */
const named: Readonly<Record<Family, { rels: string[]; hrefs: string[]; ids: object[] }>> = {
  order: {
    rels: ['orders/order', 'http://api.3plCentral.com/rels/orders/order'],
    hrefs: ['/orders/77?detail=OrderItems', 'https://items.example.com/order/77'],
    ids: [{ OrderId: '77' }],
  },
  receipt: {
    rels: ['inventory/receiver', 'receipts/receipt'],
    hrefs: ['/inventory/receivers/77?detail=ReceiveItems', '/receipts/77'],
    ids: [{ ReceiverId: 77 }],
  },
  adjustment: { rels: ['inventory/adjustment'], hrefs: ['/inventory/adjustments/77'], ids: [{ AdjustmentId: 77 }] },
  assembly: { rels: ['inventory/assembly'], hrefs: ['/inventory/assemblies/77'], ids: [{ AssemblyId: 77 }] },
  orderItem: { rels: [], hrefs: ['/orders/77/items/78'], ids: [{ OrderId: 77, OrderItemId: 78 }] },
  item: {
    rels: ['customers/item', 'Items/Item'],
    hrefs: ['/customers/418/items/77', '/items/77'],
    ids: [{ ItemId: 77, CustomerId: 418 }],
  },
  stock: { rels: ['inventory/stocksummary'], hrefs: ['/inventory/stocksummaries?pgsiz=1'], ids: [] },
  hold: {
    rels: ['inventory/receiveitem'],
    hrefs: ['/inventory/receiveitems/77', '/inventory/receivers/5/items/77'],
    ids: [{ ReceiveItemId: 77 }],
  },
};

describe.each(catalogue.map((entry) => [`${entry.subject}: ${entry.label}`, entry] as const))(
  'the label %s',
  (_label, { label, name, subject }) => {
    const { rels, hrefs, ids } = named[subject];
    const body = subject === 'stock' ? { body: row } : {};
    const event = { event: { name, subjectId: subject === 'stock' ? '12.7001.' : '77' } };

    it.each([
      ...rels.map((rel) => ({ resource: { rel, ...body }, data: { Id: 77 } })),
      ...hrefs.map((href) => ({ resource: { href, ...body } })),
      ...ids.map((data) => ({ data: JSON.stringify(data) })),
      ...ids.map((readOnly) => ({ resource: { body: { readOnly } } })),
      ...(subject === 'stock' ? [{ resource: body }] : []),
      ...(subject === 'orderItem' ? [{ resource: { rel: 'orders/order', href: '/orders/77/items/78' } }] : []),
    ])(`is ${name} by %j`, (where) => {
      expect(parse({ eventType: label, ...where })).toMatchObject(event);
    });
  },
);

it.each(catalogue)('the wire name $name wins over the family that the message names', ({ name }) => {
  for (const { hrefs } of Object.values(named)) {
    const read = parse({ eventType: name, resource: { href: hrefs[0], body: row }, data: { Id: 5 } });
    if ('event' in read) expect(read.event.name).toBe(name);
    else expect(read).toEqual(expect.objectContaining({ quarantined: { code: 'noItemId' } }));
  }
});

it.each([
  ['Receipt.Create', 'ReceiptCreate'],
  ['inventory-summary update', 'InventorySummaryUpdate'],
  ['Inventory Hold: Place on Hold', 'InventoryPlaceOnHold'],
])('the name %s is %s without anything that names its family', (eventType, name) => {
  const where = { data: { TransactionId: 77 }, resource: { body: row } };
  expect(parse({ eventType, ...where })).toMatchObject({ event: { name } });
});

describe('a name that is not understood', () => {
  const reasonOf = (message: object) => {
    const read = parse(message);
    return 'quarantined' in read ? sayReason(read.quarantined) : '';
  };

  it.each([
    [{ eventType: 'Create', data: { TransactionId: 77 } }, 'unknown event "Create": the message names no family'],
    [{ eventType: 'Shipped', resource: { rel: 'orders/order' } }, 'unknown event "Shipped" of an order'],
    [
      { eventType: 'Update', resource: { rel: 'inventory/adjustment', href: '/inventory/receivers/77' } },
      'unknown event "Update": the message names both an adjustment and a receipt',
    ],
    [{ eventType: 'ge/löscht', data: { OrderItemId: 78, OrderId: 77 } }, 'unknown event "ge/löscht" of an order item'],
    [{ eventType: 'x'.repeat(100), data: { OrderId: 1 } }, `unknown event "${'x'.repeat(60)}" of an order`],
  ])('is quarantined with what it is about: %j', (message, reason) => {
    expect(reasonOf(message)).toBe(reason);
  });

  it.each(['Pinged=ignore', 'order/Pinged=ignore'])('is put aside for good by the alias %s', (alias) => {
    const message = { eventType: 'Pinged', data: { OrderId: 1 } };
    expect(parse(message, alias)).toMatchObject({
      quarantined: { code: 'ignoredName', name: 'Pinged', families: ['order'] },
    });
    expect(parse({ ...message, eventType: 'OrderUpdate' }, alias)).toMatchObject({ event: { name: 'OrderUpdate' } });
  });
});

describe('an alias', () => {
  const create = (href: string, aliases: string) => parse({ eventType: 'Create', resource: { href } }, aliases);

  it('for one family leaves the others alone', () => {
    const aliases = 'receipt/Create=ReceiptConfirm';
    expect(create('/inventory/receivers/77', aliases)).toMatchObject({ event: { name: 'ReceiptConfirm' } });
    expect(create('/inventory/adjustments/77', aliases)).toMatchObject({ event: { name: 'AdjustmentCreate' } });
  });

  it('without a family yields to the label of the family that the message names', () => {
    const aliases = 'Create=ReceiptCreate';
    expect(create('/inventory/adjustments/77', aliases)).toMatchObject({ event: { name: 'AdjustmentCreate' } });
    expect(create('/inventory/receivers/77', aliases)).toMatchObject({ event: { name: 'ReceiptCreate' } });
  });

  it('gives a name of the catalogue another meaning', () => {
    const message = { eventType: 'OrderComplete', data: { OrderId: 77 } };
    expect(parse(message, 'OrderComplete=OrderConfirm')).toMatchObject({ event: { name: 'OrderConfirm' } });
    expect(parse(message, 'order/OrderComplete=OrderConfirm')).toMatchObject({ event: { name: 'OrderConfirm' } });
  });
});
