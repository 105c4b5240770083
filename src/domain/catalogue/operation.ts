/** A GET of the warehouse API, by the name the specification gives it ("Get Orders Picklist"). */
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
