import type { z } from 'zod';
import type { Warehouse } from '../../activities/ports.ts';
import type { Listing } from '../../activities/sweep-ports.ts';
import { DocklineError } from '../domain/errors.ts';
import { type Api, type ApiOptions, createApi, type Get, type OnAnswer } from './client/api.ts';
import { createListing } from './client/listing.ts';
import { anyObject } from './resources/any-object.ts';
import { itemSchema } from './resources/item.ts';
import { orderItemsIn } from './resources/order-items.ts';
import { defaultPaths, pathTo, type WarehousePaths } from './resources/paths.ts';
import { pickList } from './resources/pick-list.ts';
import { stockQuery, stockSummaryIn } from './resources/stock-summary.ts';
import { type TransactionKind, transactionSchema } from './resources/transaction.ts';

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
export function createWarehouse(options: WarehouseOptions): Warehouse &
  Listing &
  Pick<Api, 'calls' | 'isFree' | 'close'> & {
    /** The same client, of which each answer to a GET is told. */
    observed(onAnswer: OnAnswer): Warehouse;
  } {
  const { get, calls, isFree, close } = createApi(options);
  const paths = { ...defaultPaths, ...options.paths };
  const create = (getResource: Get) => createResources(getResource, paths, queriesOf(options));
  return {
    ...create(get),
    observed: (onAnswer) => create((path, schema, signal) => get(path, schema, signal, onAnswer)),
    ...createListing({ get, paths }),
    ...{ calls, isFree, close },
  };
}

function createResources(get: Get, paths: WarehousePaths, queries: ReturnType<typeof queriesOf>): Warehouse {
  const getObject = async (path: string, signal: AbortSignal) => (await get(path, anyObject, signal)).body;
  const getAs = async <T extends object>(path: string, schema: z.ZodType<T>, signal: AbortSignal) => {
    const { value, body } = await get(path, schema, signal);
    return { ...value, body };
  };

  return {
    async getSubject({ kind, id, customerId }, signal) {
      if (kind === 'hold') throw new DocklineError('ERR_WAREHOUSE_REFUSED', 'no operation returns what is on hold');
      if (kind === 'item') return getAs(pathTo(paths.item, customerId, id), itemSchema, signal);
      if (kind !== 'stock') return getAs(pathTo(paths[kind], id) + queries[kind], transactionSchema(kind), signal);
      const path = paths.stock + stockQuery(id);
      return stockSummaryIn(await getObject(path, signal), id, { method: 'GET', path });
    },
    getOrderItem: (orderId, itemId, signal) =>
      getObject(pathTo(paths.orderItem, orderId, itemId) + queries.orderItem, signal),
    async getOrderItems(orderId, signal) {
      return orderItemsIn(await getObject(pathTo(paths.order, orderId) + queries.orderItems, signal));
    },
    getUser: (userId, signal) => getObject(pathTo(paths.user, userId), signal),
    getCustomer: (customerId, signal) => getObject(pathTo(paths.customer, customerId), signal),
    async getPickList(pickJobId, signal) {
      return (await get(pathTo(paths.pickList, pickJobId), pickList, signal)).body;
    },
  };
}

/** The query strings that ask for the optional sections (specification 2.4). */
function queriesOf({ orderDetail, itemDetail, receiptDetail }: WarehouseOptions) {
  return {
    order: detailQuery({
      detail: orderDetail,
      // The sections of a line can only be asked for together with the lines.
      Itemdetail: orderDetail.includes('orderItems') ? itemDetail : [],
    }),
    orderItems: detailQuery({ detail: ['orderItems'], Itemdetail: itemDetail }),
    orderItem: detailQuery({ detail: itemDetail.map(capitalize) }),
    receipt: detailQuery({ detail: receiptDetail }),
    adjustment: '',
    assembly: '',
  } as const satisfies Record<TransactionKind | 'orderItem' | 'orderItems', string>;
}

/** The sections of an order item are written otherwise where it is retrieved by itself (specification 2.4). */
const capitalize = (section: string): string => section.charAt(0).toUpperCase() + section.slice(1);

function detailQuery(sections: Readonly<Record<string, readonly string[]>>): string {
  const parameters = Object.entries(sections)
    .filter(([, names]) => names.length > 0)
    .map(([parameter, names]) => `${parameter}=${names.map(encodeURIComponent).join(',')}`);
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}
