/** The optional sections of an order (specification 2.4). */
export const orderSections = [
  'savedElements',
  'packages',
  'contacts',
  'billingDetails',
  'outboundSerialNumbers',
  'smallParcel',
  'parcelOptions',
  'orderItems',
] as const;

/** The optional sections of an order's lines (specification 2.4). */
export const itemSections = ['savedElements', 'allocations', 'allocationsWithDetail'] as const;

/** The optional sections of a receipt (specification 2.4). */
export const receiverSections = ['savedElements', 'billingDetails', 'receiveItems'] as const;

/** A section of an order. */
export type OrderSection = (typeof orderSections)[number];
/** A section of an order's line. */
export type ItemSection = (typeof itemSections)[number];
/** A section of a receipt. */
export type ReceiverSection = (typeof receiverSections)[number];

/** The sections that a query parameter asks for; the parameter and its values are read without regard to case, others ignored. */
export function requestedSections<S extends string>(
  query: Readonly<Record<string, string | readonly string[]>>,
  parameter: 'detail' | 'itemdetail',
  known: readonly S[],
): ReadonlySet<S> {
  const values = Object.entries(query)
    .filter(([name]) => name.toLowerCase() === parameter)
    .flatMap(([, value]) => value)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase());
  return new Set(known.filter((section) => values.includes(section.toLowerCase())));
}
