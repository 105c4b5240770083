import { itemSections, orderSections } from '../../../domain/catalogue/sections.ts';
import { parametersOf, type Query } from '../api/query.ts';

/** The optional sections of a receipt; here as orders spell theirs, since the case does not matter. */
const receiptSections = ['savedElements', 'billingDetails', 'receiveItems'] as const;

/** A section of an order or a receipt. */
export type Section = (typeof orderSections)[number] | (typeof receiptSections)[number];
/** A section of an order's line. */
export type ItemSection = (typeof itemSections)[number];

/** The sections of a resource that are wanted. */
export interface Sections {
  readonly detail: ReadonlySet<Section>;
  readonly itemDetail: ReadonlySet<ItemSection>;
}

/** None of them. */
export const noSections: Sections = { detail: new Set(), itemDetail: new Set() };

/** The sections that a query asks for, of an order and of a receipt; a parameter or value that is neither's is ignored. */
export function requestedSections(query: Query): Sections {
  return {
    detail: requested(query, 'detail', [...orderSections, ...receiptSections]),
    itemDetail: requested(query, 'itemdetail', itemSections),
  };
}

/** The sections that a query asks for of an order's line. */
export function requestedItemSections(query: Query): ReadonlySet<ItemSection> {
  return requested(query, 'detail', itemSections);
}

/** Values are read without regard to case. */
function requested<S extends string>(query: Query, parameter: string, known: readonly S[]): ReadonlySet<S> {
  const values = parametersOf(query, parameter)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase());
  return new Set(known.filter((section) => values.includes(section.toLowerCase())));
}
