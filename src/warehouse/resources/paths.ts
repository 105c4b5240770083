import type { Operation } from '../../domain/catalogue/operation.ts';
import { DocklineError } from '../../domain/errors.ts';

/**
 * Path of every operation below the base address; braces stand for ids. Specified for orders, their items, receipts and customers,
 * guessed from their collections for adjustments and assemblies, seen in the real system for the rest.
 */
export const paths = {
  getOrder: '/orders/{id}',
  getOrdersItem: '/orders/{id}/items/{orderItemId}',
  getOrdersPicklist: '/orders/pickjobs/{jobId}/picklist',
  getReceiver: '/inventory/receivers/{id}',
  getAdjustment: '/inventory/adjustments/{id}',
  getAssembly: '/inventory/assemblies/{id}',
  getItem: '/customers/{customerId}/items/{id}',
  getStockSummaries: '/inventory/stocksummaries',
  getCustomer: '/customers/{id}',
  getUser: '/uiproperties/users/{id}',
} as const satisfies Record<Operation, string>;

/**
 * Returns the path of an operation with these ids, in the order of its braces. Throws `ERR_WAREHOUSE_REFUSED` for an id that is
 * missing or that would lead to another path, such as `..`.
 */
export function pathTo(operation: Operation, ...ids: readonly (string | undefined)[]): string {
  const rest = [...ids];
  const path = paths[operation];
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = rest.shift() ?? '';
    if (/^\.*$/.test(id)) {
      throw new DocklineError('ERR_WAREHOUSE_REFUSED', `GET ${path} needs an id in place of {${name}}, not "${id}"`);
    }
    return encodeURIComponent(id.toWellFormed());
  });
}
