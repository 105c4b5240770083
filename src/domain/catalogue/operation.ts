/** GET of the warehouse's API, named as in the specification ("Get Orders Picklist"). */
export type Operation =
  | 'getOrder'
  | 'getUser'
  | 'getCustomer'
  | 'getOrdersPicklist'
  | 'getReceiver'
  | 'getAdjustment'
  | 'getAssembly'
  | 'getOrdersItem'
  | 'getItem'
  | 'getStockSummaries';

/** Optional sections of an order (specification 2.4). */
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

/** Optional sections of an order's lines (specification 2.4). */
export const itemSections = ['savedElements', 'allocations', 'allocationsWithDetail'] as const;

/** Optional sections of a receipt, in the spelling of the specification (2.4). */
export const receiptSections = ['SavedElements', 'BillingDetails', 'ReceiveItems'] as const;
