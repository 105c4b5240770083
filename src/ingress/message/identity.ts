import type { CatalogueEntry } from '../../domain/catalogue/catalogue.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { stockId } from '../../domain/catalogue/stock-key.ts';
import { readStockSummary } from '../../domain/catalogue/stock-summary.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { isPlainId, readerOf, readShortText, readText } from './fields.ts';
import { findLinkedId } from './links.ts';
import type { Parts } from './parts.ts';

/** What an event is about, and what its own resource showed where that is all there is. */
export type Identity = Pick<WarehouseEvent, 'subject' | 'subjectId' | 'orderItemId' | 'customerId' | 'shown'>;

/** Finds what an event is about, or says why that cannot be told. */
export function identify(
  { subject, milestone }: CatalogueEntry,
  parts: Parts,
): Identity | { readonly quarantined: string } {
  if (subject === 'stock') return identifyStock(parts);
  if (subject === 'orderItem') return identifyOrderItem(parts);
  const subjectId = findId(traces[subject], parts);
  if (!subjectId) return { quarantined: `no id of ${articleOf(subject)} ${subject}` };
  if (!isPlainId(subjectId)) return { quarantined: `the ${subject}'s id is not usable` };
  const customerId = subject === 'item' ? findCustomerId(parts) : undefined;
  return {
    ...{ subject, subjectId },
    ...(customerId && isPlainId(customerId) && { customerId }),
    ...(subject === 'hold' && { shown: readHold(parts, milestone) }),
  };
}

/** Where an id stands in a message: the field of the resource, of its `readOnly`, or of `data`; and the path of `resource.href`. */
interface Trace {
  readonly field: string;
  readonly path: RegExp;
}

/** As seen for orders; the others' are guessed after them. */
const traces = {
  order: { field: 'orderid', path: /(?:^|\/)orders?\/([^/?#]+)(?:[?#]|$)/i },
  receipt: { field: 'receiverid', path: /(?:^|\/)receivers?\/([^/?#]+)(?:[?#]|$)/i },
  adjustment: { field: 'adjustmentid', path: /(?:^|\/)adjustments?\/([^/?#]+)(?:[?#]|$)/i },
  assembly: { field: 'assemblyid', path: /(?:^|\/)assembl(?:y|ies)\/([^/?#]+)(?:[?#]|$)/i },
  orderOfItem: { field: 'orderid', path: /(?:^|\/)orders?\/([^/?#]+)\/items\//i },
  orderItem: { field: 'orderitemid', path: /(?:^|\/)orders?\/[^/?#]+\/items\/([^/?#]+)(?:[?#]|$)/i },
  item: { field: 'itemid', path: /(?:^|\/)items\/([^/?#]+)(?:[?#]|$)/i },
  customer: { field: 'customerid', path: /(?:^|\/)customers\/([^/?#]+)(?:[/?#]|$)/i },
  hold: { field: 'receiveitemid', path: /(?:^|\/)receiveitems?\/([^/?#]+)(?:[?#]|$)/i },
} as const satisfies Record<string, Trace>;

function findId({ field, path }: Trace, parts: Parts): string | undefined {
  const read = readerOf(parts.body);
  const href = readText(parts.resource.get('href')) ?? '';
  return (
    readText(read('readonly', field)) ??
    readText(read(field)) ??
    path.exec(href)?.[1] ??
    readText(parts.data().get(field))
  );
}

function identifyOrderItem(parts: Parts): Identity | { readonly quarantined: string } {
  const subjectId = findId(traces.orderOfItem, parts);
  const orderItemId = findId(traces.orderItem, parts);
  if (!subjectId || !orderItemId) return { quarantined: 'no id of an order item and its order' };
  if (!isPlainId(subjectId) || !isPlainId(orderItemId)) return { quarantined: "the order item's id is not usable" };
  return { subject: 'order', subjectId, orderItemId };
}

/** The summary itself, or the only one of a list of them (the answer of Get Stock Summaries has a list). */
function identifyStock(parts: Parts): Identity | { readonly quarantined: string } {
  const rows = [parts.body.get('summaries'), parts.body.get('resourcelist')].find((list) => Array.isArray(list));
  if (rows && rows.length !== 1) return { quarantined: `${rows.length} stock summaries in one message` };
  const summary = readStockSummary(readerOf(rows?.[0] ?? parts.body));
  if (!summary) return { quarantined: 'no stock summary with its facility and item' };
  const subjectId = stockId(summary.key);
  if (!isPlainId(subjectId)) return { quarantined: "the stock summary's key is not usable" };
  const customerId = findCustomerId(parts);
  return { subject: 'stock', subjectId, shown: { ...summary.snapshot, ...(customerId && { customerId }) } };
}

/** What is on hold says so by its event; the rest is what a message may name of it. */
function readHold(parts: Parts, milestone: Milestone): Snapshot {
  const read = readerOf(parts.body);
  const customerId = findCustomerId(parts);
  const facilityId = readShortText(read('readonly', 'facilityidentifier', 'id')) ?? findLinkedId(parts, FACILITY);
  const referenceNumber = readShortText(read('itemidentifier', 'sku'));
  return {
    onHold: milestone === 'placedOnHold',
    ...(customerId && { customerId }),
    ...(facilityId && { facilityId }),
    ...(referenceNumber && { referenceNumber }),
  };
}

function findCustomerId(parts: Parts): string | undefined {
  return (
    readShortText(readerOf(parts.body)('readonly', 'customeridentifier', 'id')) ??
    findId(traces.customer, parts) ??
    findLinkedId(parts, traces.customer.path)
  );
}

const FACILITY = /(?:^|\/)facilities\/([^/?#]+)(?:[?#]|$)/i;

const articleOf = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');
