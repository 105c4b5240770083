import { itemSections, orderSections } from '../../../src/domain/kinds/order/order.ts';
import { receiptSections } from '../../../src/domain/kinds/receipt/receipt.ts';

/** Optional section of an order or a receipt. */
export type Section = (typeof orderSections)[number] | Uncapitalize<(typeof receiptSections)[number]>;
/** Optional section of an order line. */
export type ItemSection = (typeof itemSections)[number];

/** Requested sections of a resource. */
export interface Sections {
  readonly detail: ReadonlySet<Section>;
  readonly itemDetail: ReadonlySet<ItemSection>;
}

/** Those of a receipt in the spelling of orders, since case does not matter. */
const sections = [
  ...orderSections,
  ...receiptSections.map((name) => name.replace(/^./, (first) => first.toLowerCase())),
] as readonly Section[];

/** Requests no section. */
export const noSections: Sections = { detail: new Set(), itemDetail: new Set() };

/** Reads the sections that a query requests of an order or a receipt. `All` requests every one; unknown parameters and values are ignored. */
export function requestedSections(query: URLSearchParams): Sections {
  return {
    detail: requested(query, 'detail', sections),
    itemDetail: requested(query, 'itemdetail', itemSections),
  };
}

/** Reads the sections that a query requests of an order line. */
export function requestedItemSections(query: URLSearchParams): ReadonlySet<ItemSection> {
  return requested(query, 'detail', itemSections);
}

function requested<S extends string>(query: URLSearchParams, parameter: string, known: readonly S[]): ReadonlySet<S> {
  const values = query
    .getAll(parameter)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase());
  const isWanted = (section: S) => values.includes('all') || values.includes(section.toLowerCase());
  return new Set(known.filter(isWanted));
}
