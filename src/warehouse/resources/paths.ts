import { DocklineError } from '../../domain/errors.ts';

/** Where the resources are below the base address; what is in braces stands for an id. */
export interface WarehousePaths {
  readonly order: string;
  readonly receipt: string;
  readonly adjustment: string;
  readonly assembly: string;
  readonly item: string;
  readonly orderItem: string;
  readonly stock: string;
  readonly customer: string;
  readonly user: string;
  readonly pickList: string;
}

/** The paths as specified (order, its items, receipt, customer), as guessed from their collections (adjustment, assembly), and as seen (the rest). */
export const defaultPaths: WarehousePaths = {
  order: '/orders/{id}',
  receipt: '/inventory/receivers/{id}',
  adjustment: '/inventory/adjustments/{id}',
  assembly: '/inventory/assemblies/{id}',
  item: '/customers/{customerId}/items/{id}',
  orderItem: '/orders/{id}/items/{orderItemId}',
  stock: '/inventory/stocksummaries',
  customer: '/customers/{id}',
  user: '/uiproperties/users/{id}',
  pickList: '/orders/pickjobs/{jobId}/picklist',
};

/**
 * The path of the resource with these ids, in the order of the template's braces. An id that would lead to another path, such
 * as `..`, or that is missing, is `ERR_WAREHOUSE_REFUSED`.
 */
export function pathTo(template: string, ...ids: readonly (string | undefined)[]): string {
  const rest = [...ids];
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = rest.shift() ?? '';
    if (/^\.*$/.test(id)) {
      throw new DocklineError(
        'ERR_WAREHOUSE_REFUSED',
        `GET ${template} needs an id in place of {${name}}, not "${id}"`,
      );
    }
    return encodeURIComponent(id.toWellFormed());
  });
}
