/** Creates the pattern of a path that ends with the id of a record below its collection. */
const below = (collection: string): RegExp => new RegExp(`(?:^|/)(?:${collection})/([^/?#{]+)/?(?:[?#{]|$)`, 'i');

/** Patterns of the paths at which records are, whose group is the id. The order's is as observed; the others are assumed to follow it. */
export const addresses = {
  order: below('orders?'),
  receipt: below('receivers?|receipts?'),
  adjustment: below('adjustments?'),
  assembly: below('assembl(?:y|ies)'),
  orderItem: below('orders?/[^/?#]+/items'),
  item: below('items'),
  hold: below('receive(?:r?items?|rs?/[^/?#]+/items)'),
  customer: below('customers?'),
  user: below('users?'),
} as const satisfies Record<string, RegExp>;
