import type { MovementState, Transaction, TransactionKind } from '../state/transaction.ts';
import { type LocalTime, link, type Resource, relation } from './resource.ts';
import type { Section, Sections } from './sections.ts';

/** Location and vocabulary of the resources of a kind. */
interface Address {
  /** Path of the collection. */
  readonly path: string;
  /** Relation of a member, in `_embedded` and in `resource.rel` of a message. */
  readonly rel: string;
  /** Name of the id in `readOnly`; capitalized in `data` of a message. */
  readonly idName: string;
}

/** Addresses of transactions. The paths of adjustments and assemblies are guesses, as is every `rel` but the order's. */
export const addresses = {
  order: { path: '/orders', rel: 'orders/order', idName: 'orderId' },
  receipt: { path: '/inventory/receivers', rel: 'inventory/receiver', idName: 'receiverId' },
  adjustment: { path: '/inventory/adjustments', rel: 'inventory/adjustment', idName: 'adjustmentId' },
  assembly: { path: '/inventory/assemblies', rel: 'inventory/assembly', idName: 'assemblyId' },
} as const satisfies Record<TransactionKind, Address>;

/** Returns the path of a transaction. */
export const pathOf = ({ kind, id }: Transaction): string => `${addresses[kind].path}/${id}`;

/** Returns the fields of `readOnly` that every transaction has. */
export function readOnlyFields(transaction: Transaction, localTime: LocalTime): Resource {
  return {
    [addresses[transaction.kind].idName]: transaction.id,
    status: transaction.status,
    isClosed: transaction.status === 1,
    deferNotification: transaction.deferNotification,
    customerIdentifier: transaction.customer,
    facilityIdentifier: transaction.facility,
    creationDate: localTime(transaction.created),
    lastModifiedDate: localTime(transaction.lastModified),
    lastModifiedByIdentifier: transaction.lastModifiedBy,
  };
}

/** Returns the links that every transaction has. */
export function linksOf(transaction: Transaction): Resource {
  return {
    self: link(pathOf(transaction)),
    [relation('customers/customer')]: link(`/customers/${transaction.customer.id}`),
  };
}

/**
 * Shows a receipt, adjustment or assembly; a receipt with the requested sections. The fields of adjustments and assemblies
 * are a guess after those of a receipt, with the item and quantity at the top level.
 */
export function toMovementResource(movement: MovementState, { detail }: Sections, localTime: LocalTime): Resource {
  const isReceipt = movement.kind === 'receipt';
  // The planned arrival until the receipt is closed, the real one from then on.
  const arrivalDate = localTime(movement.processed ?? movement.created);
  return {
    referenceNum: movement.referenceNum,
    ...(isReceipt ? { arrivalDate } : goods(movement)),
    readOnly: readOnlyFields(movement, localTime),
    _links: linksOf(movement),
    ...(isReceipt && receiptSections(movement, detail)),
  };
}

const goods = ({ item, qty }: MovementState): Resource => ({ itemIdentifier: item, qty });

function receiptSections(receipt: MovementState, detail: Sections['detail']): Resource {
  const wanted = (section: Section, fields: Resource) => (detail.has(section) ? fields : {});
  const receiveItem = { readOnly: { receiveItemId: 880_000 + receipt.item.id }, ...goods(receipt) };
  return {
    ...wanted('savedElements', { savedElements: [{ name: 'Dock', value: '3' }] }),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 2, subtotal: 18.5 }] } }),
    ...wanted('receiveItems', { _embedded: { [relation('inventory/receiveitem')]: [receiveItem] } }),
  };
}
