import type { CatalogueEntry } from '../../domain/catalogue/catalogue.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { customersIn } from '../../domain/catalogue/record-customer.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import type { Quarantined } from '../../domain/quarantine.ts';
import { describeFamily } from '../../domain/unknown-name.ts';
import { findAnonymousId, findId, idPlaces } from './family.ts';
import { findLinkedId } from './links.ts';
import type { Parts } from './parts.ts';
import { findStockRows, identifyRow } from './stock-rows.ts';
import { isPlainId, readJson, readShortId, readShortText } from './values.ts';

/** Subject of an event, and the state in its own resource if there is no other source of it. */
type Identity = Pick<WarehouseEvent, 'subject' | 'subjectId' | 'orderItemId' | 'customerId' | 'shown' | 'disputed'>;

/** Identifies the subject of an event, or returns the reason why it cannot be identified. */
export function identify(
  { subject, milestone }: CatalogueEntry,
  parts: Parts,
  named: NamedCustomer,
): Identity | Quarantined {
  const { customerId } = named;
  if (subject === 'stock') return identifyStock(parts, named);
  if (subject === 'orderItem') return identifyOrderItem(parts);
  const subjectId = findId(idPlaces[subject], parts) ?? findAnonymousId(parts);
  if (!subjectId) return { quarantined: `no id of ${describeFamily(subject)}` };
  if (!isPlainId(subjectId)) return { quarantined: `the ${subject}'s id is not usable` };
  return {
    subject,
    subjectId,
    ...(subject === 'item' && customerId && isPlainId(customerId) && { customerId }),
    ...(subject === 'hold' && { shown: readHold(parts, milestone, customerId) }),
  };
}

function identifyOrderItem(parts: Parts): Identity | Quarantined {
  const subjectId = findId(idPlaces.orderOfItem, parts);
  const orderItemId = findId(idPlaces.orderItem, parts);
  if (!subjectId || !orderItemId) return { quarantined: 'no id of an order item and its order' };
  if (!isPlainId(subjectId) || !isPlainId(orderItemId)) return { quarantined: "the order item's id is not usable" };
  return { subject: 'order', subjectId, orderItemId };
}

/** Identifies the summary itself, or the only one of a list. */
function identifyStock(parts: Parts, { customerId, disputed }: NamedCustomer): Identity | Quarantined {
  const body = readJson(parts.resource('body'));
  const rows = findStockRows(body);
  if (rows?.length === 0) return { quarantined: 'no stock summary in the list' };
  const identity = identifyRow(rows ? rows[0] : body);
  if ('quarantined' in identity) return identity;
  const isItsOwn = identity.shown.customerId !== undefined;
  return {
    ...identity,
    subject: 'stock',
    shown: { ...(customerId && { customerId }), ...identity.shown },
    ...((identity.disputed ?? (disputed && !isItsOwn)) && { disputed: true }),
  };
}

/** Reads the state of an item on hold: the event says whether it is, the message may have the rest. */
function readHold(parts: Parts, milestone: Milestone, customerId: string | undefined): Snapshot {
  const facilityId = readShortId(parts.body('readonly', 'facilityidentifier', 'id')) ?? findLinkedId(parts, FACILITY);
  const referenceNumber = readShortText(parts.body('itemidentifier', 'sku'));
  return {
    onHold: milestone === 'placedOnHold',
    ...(customerId && { customerId }),
    ...(facilityId && { facilityId }),
    ...(referenceNumber && { referenceNumber }),
  };
}

/** Customer whose subject a message is about; `disputed` if it names several. */
interface NamedCustomer {
  readonly customerId?: string;
  readonly disputed?: true;
}

/** Finds the customer of a message, on which its record and the rest of it have to agree. */
export function findCustomer(parts: Parts): NamedCustomer {
  const beside = [findId(idPlaces.customer, parts), findLinkedId(parts, idPlaces.customer.path)];
  const [customerId, other] = new Set([...customersIn(parts.body), ...beside.filter((id) => id !== undefined)]);
  if (other !== undefined) return { disputed: true };
  return customerId === undefined ? {} : { customerId };
}

const FACILITY = /(?:^|\/)facilities\/([^/?#]+)(?:[?#]|$)/i;
