import type { Warehouse } from '../../activities/ports.ts';
import { type Api, type ApiOptions, createApi } from './api.ts';
import { order } from './order.ts';
import { defaultPaths, pathTo, type WarehousePaths } from './paths.ts';
import { pickList } from './pick-list.ts';
import { user } from './user.ts';

/** The addresses, the credential and what is asked for. */
export interface WarehouseOptions extends ApiOptions {
  /** The optional sections of an order, and of its lines (specification 2.4). */
  readonly orderDetail: readonly string[];
  readonly itemDetail: readonly string[];
  readonly paths?: Partial<WarehousePaths>;
}

/**
 * The client of the warehouse's API (specification 4.2). Bodies are passed on as they came, once they are known to be
 * readable.
 */
export function createWarehouse(options: WarehouseOptions): Warehouse & Pick<Api, 'calls' | 'close'> {
  const { get, calls, close } = createApi(options);
  const paths = { ...defaultPaths, ...options.paths };
  const query = detailQuery(options);

  return {
    async getOrder(orderId, signal) {
      const { value, body } = await get(pathTo(paths.order, orderId) + query, order, signal);
      return { ...value, body };
    },
    async getUser(userId, signal) {
      return (await get(pathTo(paths.user, userId), user, signal)).body;
    },
    async getPickList(pickJobId, signal) {
      return (await get(pathTo(paths.pickList, pickJobId), pickList, signal)).body;
    },
    calls,
    close,
  };
}

/** The sections of a line can only be asked for together with the lines (specification 2.4). */
function detailQuery({ orderDetail, itemDetail }: Pick<WarehouseOptions, 'orderDetail' | 'itemDetail'>): string {
  const sections = {
    detail: orderDetail,
    itemdetail: orderDetail.includes('orderItems') ? itemDetail : [],
  };
  const parameters = Object.entries(sections)
    .filter(([, names]) => names.length > 0)
    .map(([parameter, names]) => `${parameter}=${names.map(encodeURIComponent).join(',')}`);
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}
