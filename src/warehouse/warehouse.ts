import type { Warehouse } from '../../activities/ports.ts';
import type { SubjectKind } from '../domain/subject.ts';
import { anyObject } from './any-object.ts';
import { type Api, type ApiOptions, createApi } from './api.ts';
import { defaultPaths, pathTo, type WarehousePaths } from './paths.ts';
import { pickList } from './pick-list.ts';
import { subjectSchema } from './subject.ts';

/** The addresses, the credential and what is asked for. */
export interface WarehouseOptions extends ApiOptions {
  /** The optional sections of an order, of its lines, and of a receipt (specification 2.4). */
  readonly orderDetail: readonly string[];
  readonly itemDetail: readonly string[];
  readonly receiptDetail: readonly string[];
  readonly paths?: Partial<WarehousePaths>;
}

/**
 * The client of the warehouse's API (specification 4.2). Bodies are passed on as they came, once they are known to be
 * readable.
 */
export function createWarehouse(options: WarehouseOptions): Warehouse & Pick<Api, 'calls' | 'close'> {
  const { get, calls, close } = createApi(options);
  const paths = { ...defaultPaths, ...options.paths };
  const queries: { readonly [K in SubjectKind]?: string } = {
    order: detailQuery({
      detail: options.orderDetail,
      // The sections of a line can only be asked for together with the lines (specification 2.4).
      itemdetail: options.orderDetail.includes('orderItems') ? options.itemDetail : [],
    }),
    receipt: detailQuery({ detail: options.receiptDetail }),
  };
  const getObject = async (path: string, signal: AbortSignal) => (await get(path, anyObject, signal)).body;

  return {
    async getSubject({ kind, id }, signal) {
      const path = pathTo(paths[kind], id) + (queries[kind] ?? '');
      const { value, body } = await get(path, subjectSchema(kind), signal);
      return { ...value, body };
    },
    getUser: (userId, signal) => getObject(pathTo(paths.user, userId), signal),
    getCustomer: (customerId, signal) => getObject(pathTo(paths.customer, customerId), signal),
    async getPickList(pickJobId, signal) {
      return (await get(pathTo(paths.pickList, pickJobId), pickList, signal)).body;
    },
    calls,
    close,
  };
}

function detailQuery(sections: Readonly<Record<string, readonly string[]>>): string {
  const parameters = Object.entries(sections)
    .filter(([, names]) => names.length > 0)
    .map(([parameter, names]) => `${parameter}=${names.map(encodeURIComponent).join(',')}`);
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}
