import type { z } from 'zod';
import type { Warehouse } from '../../activities/ports/retrieval.ts';
import type { Listing } from '../../activities/ports/sweep.ts';
import { retrievalOf } from '../domain/catalogue/subject.ts';
import { DocklineError } from '../domain/errors.ts';
import { type Api, type ApiOptions, createApi, type Get, type OnAnswer } from './client/api.ts';
import { createListing } from './client/listing.ts';
import { itemSchema } from './resources/item.ts';
import { paths, pathTo } from './resources/paths.ts';
import { anyObject, anyObjectOrList } from './resources/resource.ts';
import { stockQuery, stockSummaryIn } from './resources/stock-summary.ts';
import { orderItemsIn, type TransactionKind, transactionSchema } from './resources/transaction.ts';

/** Addresses, credential, and the optional sections to ask for. */
export interface WarehouseOptions extends ApiOptions {
  /** Optional sections of orders, of their lines, and of receipts (specification 2.4). */
  readonly orderDetail: readonly string[];
  readonly itemDetail: readonly string[];
  readonly receiptDetail: readonly string[];
}

/** Creates a client of the warehouse's API (specification 4.2). It returns bodies as they came, once they proved readable. */
export function createWarehouse(options: WarehouseOptions): Warehouse &
  Listing &
  Pick<Api, 'calls' | 'isFree' | 'close'> & {
    /** Returns the same client, which reports each answer to a GET. */
    observed(onAnswer: OnAnswer): Warehouse;
  } {
  const { get, calls, isFree, close } = createApi(options);
  const create = (getResource: Get) => createResources(getResource, queriesOf(options));
  return {
    ...create(get),
    observed: (onAnswer) => create((path, schema, signal) => get(path, schema, signal, onAnswer)),
    ...createListing({ get }),
    ...{ calls, isFree, close },
  };
}

function createResources(get: Get, queries: ReturnType<typeof queriesOf>): Warehouse {
  const getObject = async (path: string, signal: AbortSignal) => (await get(path, anyObject, signal)).body;
  const getAs = async <T extends object>(path: string, schema: z.ZodType<T>, signal: AbortSignal) => {
    const { value, body } = await get(path, schema, signal);
    return { ...value, body };
  };

  return {
    async getSubject({ kind, id, customerId }, signal) {
      if (kind === 'hold') throw new DocklineError('ERR_WAREHOUSE_REFUSED', 'no operation returns what is on hold');
      if (kind === 'item') return getAs(pathTo('getItem', customerId, id), itemSchema, signal);
      if (kind !== 'stock') {
        return getAs(pathTo(retrievalOf[kind], id) + queries[kind], transactionSchema(kind), signal);
      }
      const path = paths.getStockSummaries + stockQuery(id);
      return stockSummaryIn(await getObject(path, signal), id, { method: 'GET', path });
    },
    getOrderItem: (orderId, itemId, signal) =>
      getObject(pathTo('getOrdersItem', orderId, itemId) + queries.orderItem, signal),
    async getOrderItems(orderId, signal) {
      return orderItemsIn(await getObject(pathTo('getOrder', orderId) + queries.orderItems, signal));
    },
    getUser: (userId, signal) => getObject(pathTo('getUser', userId), signal),
    getCustomer: (customerId, signal) => getObject(pathTo('getCustomer', customerId), signal),
    async getPickList(pickJobId, signal) {
      return (await get(pathTo('getOrdersPicklist', pickJobId), anyObjectOrList, signal)).body;
    },
  };
}

/** Returns the query strings that ask for the optional sections (specification 2.4). */
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

/** Capitalizes the section of an order item, as the operation for a single item spells it (specification 2.4). */
const capitalize = (section: string): string => section.charAt(0).toUpperCase() + section.slice(1);

function detailQuery(sections: Readonly<Record<string, readonly string[]>>): string {
  const parameters = Object.entries(sections)
    .filter(([, names]) => names.length > 0)
    .map(([parameter, names]) => `${parameter}=${names.map(encodeURIComponent).join(',')}`);
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}
