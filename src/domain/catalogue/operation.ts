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
