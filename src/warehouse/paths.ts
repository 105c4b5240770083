import { DocklineError } from '../domain/errors.ts';

/** Where the resources are below the base address; what is in braces stands for the id. */
export interface WarehousePaths {
  readonly order: string;
  readonly receipt: string;
  readonly adjustment: string;
  readonly assembly: string;
  readonly customer: string;
  readonly user: string;
  readonly pickList: string;
}

/** The paths as specified (order, receipt, customer), as seen (user, pick list), and as guessed from their collections (the rest). */
export const defaultPaths: WarehousePaths = {
  order: '/orders/{id}',
  receipt: '/inventory/receivers/{id}',
  adjustment: '/inventory/adjustments/{id}',
  assembly: '/inventory/assemblies/{id}',
  customer: '/customers/{id}',
  user: '/uiproperties/users/{id}',
  pickList: '/orders/pickjobs/{jobId}/picklist',
};

/**
 * The path of the resource with this id. An id that would lead to another path, such as `..`, is
 * `ERR_WAREHOUSE_REFUSED`.
 */
export function pathTo(template: string, id: string): string {
  if (/^\.*$/.test(id)) throw new DocklineError('ERR_WAREHOUSE_REFUSED', `GET ${template} needs an id, not "${id}"`);
  return template.replace(/\{\w+\}/, () => encodeURIComponent(id.toWellFormed()));
}
