import { addresses } from '../../domain/catalogue/addresses.ts';
import type { Family } from '../../domain/catalogue/catalogue.ts';
import { readId, readText } from '../../domain/wire-values.ts';
import type { Parts } from './parts.ts';
import { findStockRows, identifyRow } from './stock-rows.ts';
import { readJson } from './values.ts';

/** Creates the pattern of a path or relation with the given segments. */
const segments = (pattern: string): RegExp => new RegExp(`(?:^|/)(?:${pattern})(?:/|$)`, 'i');

/** Segments by which paths and relations name a family, the most specific first. The order's are as observed. */
const signs: readonly (readonly [Family, RegExp])[] = [
  ['orderItem', segments('orderitems?|orders?/(?:[^/]+/)?items?')],
  ['hold', segments('receiver?items?|receivers?/(?:[^/]+/)?items?|holds?')],
  ['order', segments('orders?')],
  ['receipt', segments('receivers?|receipts?')],
  ['adjustment', segments('adjustments?')],
  ['assembly', segments('assembl(?:y|ies)')],
  ['stock', segments('(?:stock|inventory)?summar(?:y|ies)|stocks?')],
  ['item', segments('items?')],
];

/** Families with an id of their own, the most specific first: an order item names its order, too. */
const identified = ['orderItem', 'hold', 'order', 'receipt', 'adjustment', 'assembly'] as const;

/**
 * Returns the families that `resource.rel` and `resource.href` name, each once; if they name none, the family of the ids in the resource
 * and in `data`.
 */
export function familiesOf(parts: Parts): readonly Family[] {
  const addressed = [parts.resource('rel'), parts.resource('href')].flatMap((text) => familyIn(readText(text)) ?? []);
  return addressed.length > 0 ? [...new Set(addressed)] : familyOfIds(parts);
}

function familyIn(address = ''): Family | undefined {
  const path = address.replace(/^\w+:\/\/[^/]*/, '').replace(/[?#].*$/s, '');
  return signs.find(([, sign]) => sign.test(path))?.[0];
}

function familyOfIds(parts: Parts): readonly Family[] {
  const family = identified.find((one) => hasField(idPlaces[one], parts)) ?? (hasStock(parts) ? 'stock' : undefined);
  if (family) return [family];
  return hasField(idPlaces.item, parts) ? ['item'] : [];
}

/** Reports whether the resource is a stock summary or a list of them. */
function hasStock({ resource }: Parts): boolean {
  const body = resource('body');
  return findStockRows(readJson(body)) !== undefined || 'subjectId' in identifyRow(body);
}

/** Places of an id in a message: a field of the resource, of its `readOnly` or of `data`, and the path of `resource.href`. */
interface IdPlaces {
  readonly field: string;
  readonly path: RegExp;
}

/** The order's are as observed; the others are assumed to follow them. */
export const idPlaces = {
  order: { field: 'orderid', path: addresses.order },
  receipt: { field: 'receiverid', path: addresses.receipt },
  adjustment: { field: 'adjustmentid', path: addresses.adjustment },
  assembly: { field: 'assemblyid', path: addresses.assembly },
  orderOfItem: { field: 'orderid', path: /(?:^|\/)orders?\/([^/?#]+)\/items\//i },
  orderItem: { field: 'orderitemid', path: addresses.orderItem },
  item: { field: 'itemid', path: addresses.item },
  customer: { field: 'customerid', path: /(?:^|\/)customers\/([^/?#]+)(?:[/?#]|$)/i },
  hold: { field: 'receiveitemid', path: addresses.hold },
} as const satisfies Record<string, IdPlaces>;

/** Finds an id in the resource, in the path of `resource.href`, or in `data`. */
export function findId({ field, path }: IdPlaces, { body, resource, data }: Parts): string | undefined {
  const href = readText(resource('href')) ?? '';
  return readId(body('readonly', field)) ?? readId(body(field)) ?? readId(path.exec(href)?.[1]) ?? readId(data(field));
}

/** Reports whether the resource or `data` has the id's field. */
function hasField({ field }: Pick<IdPlaces, 'field'>, { body, data }: Parts): boolean {
  return [body('readonly', field), body(field), data(field)].some((id) => readId(id) !== undefined);
}

/** Names of an id that does not say what it is of. They are a guess. */
const ANONYMOUS = ['id', 'transactionid'];

/** Finds an id that does not say what it is of; only another part of the message or an alias can say that. */
export function findAnonymousId({ body, data }: Parts): string | undefined {
  const places = ANONYMOUS.flatMap((name) => [body('readonly', name), body(name), data(name)]);
  return places.map(readId).find((id) => id !== undefined);
}
