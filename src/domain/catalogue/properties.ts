/**
 * Properties by which the warehouse's listings are filtered and sorted, and by whose id a record proves to be the one that was asked for, as
 * dotted paths. Seen in the real system for orders and stock, guessed from those for the rest. The configuration can replace each.
 */
export const standardProperties = {
  'order.id': 'readOnly.orderId',
  'order.changed': 'readOnly.lastModifiedDate',
  'order.closed': 'readOnly.isClosed',
  'receipt.id': 'readOnly.receiverId',
  'receipt.changed': 'readOnly.lastModifiedDate',
  'receipt.closed': 'readOnly.isClosed',
  'adjustment.id': 'readOnly.adjustmentId',
  'adjustment.changed': 'readOnly.lastModifiedDate',
  'adjustment.closed': 'readOnly.isClosed',
  'assembly.id': 'readOnly.assemblyId',
  'assembly.changed': 'readOnly.lastModifiedDate',
  'assembly.closed': 'readOnly.isClosed',
  'stock.facility': 'facilityId',
  'stock.item': 'itemIdentifier.id',
  'item.id': 'itemId',
  'orderItem.id': 'readOnly.orderItemId',
  'customer.id': 'readOnly.customerId',
  'user.id': 'userId',
} as const;

/** Name of a property in the configuration. */
export type PropertyName = keyof typeof standardProperties;

/** Properties of one warehouse. */
export type Properties = Readonly<Record<PropertyName, string>>;

/** Kinds of records of whose id not even the name was seen. */
export const guessedIds: ReadonlySet<string> = new Set(['adjustment', 'assembly', 'item', 'customer', 'user']);
