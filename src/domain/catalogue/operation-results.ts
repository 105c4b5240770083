import type { Operation } from './operation.ts';
import type { PathName } from './paths.ts';

interface Result {
  readonly several: string;
  readonly part?: string;
}

/** Names of what GETs return; those of parts of announcements also for one of them. */
const results: { readonly [O in Operation]: Result } & { readonly [P in PathName]?: Result } = {
  getOrder: { several: 'orders' },
  getReceiver: { several: 'receipts' },
  getAdjustment: { several: 'adjustments' },
  getAssembly: { several: 'assemblies' },
  getItem: { several: 'items' },
  getStockSummaries: { several: 'stock' },
  getCustomer: { several: 'customers', part: 'customer' },
  getUser: { several: 'users', part: 'user' },
  getOrdersPicklist: { several: 'pick lists', part: 'pick list' },
  getOrdersItem: { several: 'lines of orders', part: 'lines' },
  getOrders: { several: 'lists of orders' },
  getReceivers: { several: 'lists of receipts' },
  getAdjustments: { several: 'lists of adjustments' },
  getAssemblies: { several: 'lists of assemblies' },
};

/** Names what an operation returns: several, and one of them if it is only a part of an announcement. */
export const resultsOf = (operation: PathName): Result => results[operation] ?? { several: 'lists' };

/** Names what one GET of an operation returns, which may have been for several records. */
export function resultOf(operation: string, isForSeveral: boolean): string {
  const { several, part } = resultsOf(operation as PathName);
  if (part) return part;
  return isForSeveral ? several : several.replace(/ies$/, 'y').replace(/s$/, '');
}

/** Name of an operation in the specification, after which its role is named: `Get Orders Picklist`. */
export const roleOf = (operation: PathName): string =>
  operation.replace(/^g/, 'G').replaceAll(/(?<=[a-z])([A-Z])/g, ' $1');
