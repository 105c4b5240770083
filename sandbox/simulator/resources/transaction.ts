import { lastMember } from '../../../src/base/text.ts';
import { standardPaths } from '../../../src/domain/catalogue/operation.ts';
import { type SweptKind, sweptKinds } from '../../../src/domain/catalogue/subject.ts';
import { kinds } from '../../../src/domain/kinds/kinds.ts';
import type { ReceivedGoods } from '../state/shipment.ts';
import type { MovementState, Transaction } from '../state/transaction.ts';
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

/** Addresses of transactions, from the names of the specification. Every `rel` but the order's is a guess. */
export const addresses = Object.fromEntries(sweptKinds.map((kind) => [kind, addressOf(kinds[kind])])) as Readonly<
  Record<SweptKind, Address>
>;

function addressOf({ id, listing: { operation } }: (typeof kinds)[SweptKind]): Address {
  const path = standardPaths[operation];
  const [collection = '', parent = collection] = path.slice(1).split('/').toReversed();
  const member = collection.replace(/ies$/, 'y').replace(/s$/, '');
  return { path, rel: `${parent}/${member}`, idName: lastMember(id) };
}

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
  const receiveItems = receipt.received ? receivedItems(receipt, receipt.received) : [receiveItem];
  return {
    ...wanted('savedElements', { savedElements: [{ name: 'Dock', value: '3' }] }),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 2, subtotal: 18.5 }] } }),
    ...wanted('receiveItems', { _embedded: { [relation('inventory/receiveitem')]: receiveItems } }),
  };
}

/** Unexpected goods appear once the receipt is closed. */
const receivedItems = ({ status }: MovementState, received: readonly ReceivedGoods[]): readonly Resource[] =>
  received
    .filter(({ expected }) => status === 1 || expected > 0)
    .map(({ receiveItemId, item, lot, expected, holdReason, ...row }) => ({
      readOnly: { receiveItemId, unitIdentifier: { id: 1, name: 'Each' } },
      itemIdentifier: item,
      qty: status === 1 ? row.received : expected,
      expectedQty: expected,
      ...(lot && { lotNumber: lot.lotNumber, expirationDate: `${lot.expires}T00:00:00` }),
      ...(holdReason && { onHold: true, onHoldReason: holdReason }),
    }));
