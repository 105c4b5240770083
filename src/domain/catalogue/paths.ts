/**
 * Path of every operation and listing of the warehouse's API; braces stand for ids. Specified for the token, orders, their items,
 * receipts and customers, guessed from their collections for adjustments and assemblies, seen in the real system for the rest. The
 * configuration can replace each.
 */
export const standardPaths = {
  token: '/AuthServer/api/Token',
  webhookKey: '/events/webhook/key',
  getOrder: '/orders/{id}',
  getOrdersItem: '/orders/{id}/items/{orderItemId}',
  getOrdersPicklist: '/orders/pickjobs/{jobId}/picklist',
  getReceiver: '/inventory/receivers/{id}',
  getAdjustment: '/inventory/adjustments/{id}',
  getAssembly: '/inventory/assemblies/{id}',
  getItem: '/customers/{customerId}/items/{id}',
  getCustomer: '/customers/{id}',
  getUser: '/uiproperties/users/{id}',
  getOrders: '/orders',
  getReceivers: '/inventory/receivers',
  getAdjustments: '/inventory/adjustments',
  getAssemblies: '/inventory/assemblies',
  getStockSummaries: '/inventory/stocksummaries',
} as const;

export type PathName = keyof typeof standardPaths;

/** Paths of one warehouse. */
export type Paths = Readonly<Record<PathName, string>>;

/** Returns the names of the ids that a path needs, in order. */
export const placeholdersOf = (path: string): string[] => [...path.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name);
