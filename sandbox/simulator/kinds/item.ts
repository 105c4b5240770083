import { type LocalTime, link } from '../resources/resource.ts';
import { items, stockItemOf } from '../state/directory.ts';
import { type NewSubject, newEntry } from '../state/entry.ts';
import { type Kind, onlyDefault, type Shown } from './kind.ts';

/** Creates an active item. */
function newItem(subject: NewSubject) {
  const { id, stream } = subject;
  const entry = newEntry('item', subject);
  const material = stream.pick(['Steel', 'Linen', 'Walnut', 'Glass']);
  const thing = stream.pick(['bottle', 'lamp', 'tray', 'stool']);
  return { ...entry, id, sku: stockItemOf(id).sku, description: `${material} ${thing}`, deactivated: false };
}

/** Item of a customer. */
type ItemState = Readonly<ReturnType<typeof newItem>>;

/** The fields are a guess after those of the other resources. */
function showItem(item: ItemState, localTime: LocalTime): Shown {
  const { id, sku, description, deactivated, customer } = item;
  const path = `/customers/${customer.id}/items/${id}`;
  const readOnly = {
    deactivated,
    creationDate: localTime(item.created),
    lastModifiedDate: localTime(item.lastModified),
    customerIdentifier: customer,
    lastModifiedByIdentifier: item.lastModifiedBy,
  };
  return {
    rel: 'customers/item',
    path,
    ids: { ItemId: String(id), CustomerId: String(customer.id) },
    body: { itemId: id, sku, description, readOnly, _links: { self: link(path) } },
  };
}

export const item = {
  type: 'Item',
  resources: onlyDefault,
  create: newItem,
  stage: ({ deactivated }) => (deactivated ? 'deactivated' : 'created'),
  facts: ({ sku, deactivated }) => ({ referenceNumber: sku, deactivated }),
  orders: 10,
  effects: {
    created: () => ({}),
    updated: (item, { deactivated = item.deactivated }) => ({ deactivated }),
    deleted: () => ({ deleted: true }),
  },
  scenarios: {
    kept: 'created updated',
    deactivated: 'created updated updated-',
    reactivated: 'created updated updated- updated+',
    deleted: 'created deleted',
  },
  show: (item, _, localTime) => showItem(item, localTime),
  retrievals: [
    {
      operation: 'getItem',
      path: '/customers/:id/items/:itemId',
      find({ find, localTime }, { id }) {
        const item = find(id('itemId'));
        if (item) return item.customer.id === id('id') ? showItem(item, localTime).body : undefined;
        const listed = items.find((candidate) => candidate.id === id('itemId'));
        return listed && { itemId: listed.id, sku: listed.sku, readOnly: { deactivated: false } };
      },
      all: (states) => states.map(({ id, customer }) => ({ id: customer.id, itemId: id })),
    },
  ],
} as const satisfies Kind<ItemState>;
