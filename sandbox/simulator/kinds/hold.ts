import { omitNulls } from '../resources/resource.ts';
import { chooseFacility, items, stockItemOf } from '../state/directory.ts';
import { type NewSubject, newEntry } from '../state/entry.ts';
import { type Kind, onlyDefault } from './kind.ts';

/** Creates a received item that is not on hold. */
function newHold(subject: NewSubject) {
  const { id, stream, qualifier = '' } = subject;
  const entry = newEntry('hold', subject);
  const facility = chooseFacility(stream, subject.facilityId);
  const picked = stream.pick(items);
  const { itemId = picked.id } = subject;
  const qty = stream.between(1, 480);
  const onHoldReason = null as string | null;
  return { ...entry, id, facility, item: stockItemOf(itemId), qualifier, qty, onHold: false, onHoldReason };
}

/** Received item that can be put on hold; its id is the receive item's. */
type HoldState = Readonly<ReturnType<typeof newHold>>;

/** The fields of its record are a guess after those of stock and receipts. */
export const hold = {
  type: 'Inventory Hold',
  resources: onlyDefault,
  create: newHold,
  stage: ({ onHold }) => (onHold ? 'onHold' : 'released'),
  facts: ({ item, onHold }) => ({ referenceNumber: item.sku, onHold }),
  orders: 10,
  effects: {
    placedOnHold: () => ({ onHold: true, onHoldReason: 'Quality inspection' }),
    releasedFromHold: () => ({ onHold: false, onHoldReason: null }),
  },
  scenarios: {
    held: 'placedOnHold',
    released: 'placedOnHold releasedFromHold',
    heldAgain: 'placedOnHold releasedFromHold placedOnHold',
  },
  show: ({ id, customer, facility, item, qualifier, qty, onHold, onHoldReason }) => ({
    rel: 'inventory/receiveitem',
    path: `/inventory/receiveitems/${id}`,
    ids: { ReceiveItemId: String(id) },
    body: omitNulls({
      readOnly: { receiveItemId: id, customerIdentifier: customer, facilityIdentifier: facility },
      itemIdentifier: item,
      qualifier,
      qty,
      onHold,
      onHoldReason,
    }),
  }),
} as const satisfies Kind<HoldState>;
