import type { CatalogueEntry } from '../../domain/catalogue/catalogue.ts';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { stockId } from '../../domain/catalogue/stock-key.ts';
import { readStockSummary } from '../../domain/catalogue/stock-summary.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { describeFamily } from './family.ts';
import { findLinkedId } from './links.ts';
import { openReader, type Parts } from './parts.ts';
import { findAnonymousId, findId, traces } from './traces.ts';
import { isPlainId, readShortText } from './values.ts';

/** Subject of an event, and the state in its own resource if there is no other source of it. */
export type Identity = Pick<WarehouseEvent, 'subject' | 'subjectId' | 'orderItemId' | 'customerId' | 'shown'>;

/** Identifies the subject of an event, or returns the reason why it cannot be identified. */
export function identify(
  { subject, milestone }: CatalogueEntry,
  parts: Parts,
): Identity | { readonly quarantined: string } {
  if (subject === 'stock') return identifyStock(parts);
  if (subject === 'orderItem') return identifyOrderItem(parts);
  const subjectId = findId(traces[subject], parts) ?? findAnonymousId(parts);
  if (!subjectId) return { quarantined: `no id of ${describeFamily(subject)}` };
  if (!isPlainId(subjectId)) return { quarantined: `the ${subject}'s id is not usable` };
  const customerId = subject === 'item' ? findCustomerId(parts) : undefined;
  return {
    ...{ subject, subjectId },
    ...(customerId && isPlainId(customerId) && { customerId }),
    ...(subject === 'hold' && { shown: readHold(parts, milestone) }),
  };
}

function identifyOrderItem(parts: Parts): Identity | { readonly quarantined: string } {
  const subjectId = findId(traces.orderOfItem, parts);
  const orderItemId = findId(traces.orderItem, parts);
  if (!subjectId || !orderItemId) return { quarantined: 'no id of an order item and its order' };
  if (!isPlainId(subjectId) || !isPlainId(orderItemId)) return { quarantined: "the order item's id is not usable" };
  return { subject: 'order', subjectId, orderItemId };
}

/** Reads the summary itself, or the only one of a list (Get Stock Summaries answers with a list). */
function identifyStock(parts: Parts): Identity | { readonly quarantined: string } {
  const rows = [parts.body('summaries'), parts.body('resourcelist')].find((list) => Array.isArray(list));
  if (rows && rows.length !== 1) return { quarantined: `${rows.length} stock summaries in one message` };
  const summary = readStockSummary(rows ? openReader(rows[0]) : parts.body);
  if (!summary) return { quarantined: 'no stock summary with its facility and item' };
  const subjectId = stockId(summary.key);
  if (!isPlainId(subjectId)) return { quarantined: "the stock summary's key is not usable" };
  const customerId = findCustomerId(parts);
  return { subject: 'stock', subjectId, shown: { ...summary.snapshot, ...(customerId && { customerId }) } };
}

/** Reads the state of an item on hold: the event says whether it is, the message may have the rest. */
function readHold(parts: Parts, milestone: Milestone): Snapshot {
  const customerId = findCustomerId(parts);
  const facilityId = readShortText(parts.body('readonly', 'facilityidentifier', 'id')) ?? findLinkedId(parts, FACILITY);
  const referenceNumber = readShortText(parts.body('itemidentifier', 'sku'));
  return {
    onHold: milestone === 'placedOnHold',
    ...(customerId && { customerId }),
    ...(facilityId && { facilityId }),
    ...(referenceNumber && { referenceNumber }),
  };
}

function findCustomerId(parts: Parts): string | undefined {
  return (
    readShortText(parts.body('readonly', 'customeridentifier', 'id')) ??
    findId(traces.customer, parts) ??
    findLinkedId(parts, traces.customer.path)
  );
}

const FACILITY = /(?:^|\/)facilities\/([^/?#]+)(?:[?#]|$)/i;
