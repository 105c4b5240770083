import type { z } from 'zod';
import type { Warehouse } from '../../activities/ports/retrieval.ts';
import type { Listing } from '../../activities/ports/sweep.ts';
import { type PathName, type Paths, standardPaths } from '../domain/catalogue/paths.ts';
import { type Properties, standardProperties } from '../domain/catalogue/properties.ts';
import { retrievalOf } from '../domain/catalogue/subject.ts';
import { DocklineError } from '../domain/errors.ts';
import { type Api, type ApiOptions, createApi, type Get, type GetOptions, type OnAnswer } from './client/api.ts';
import { createListing } from './client/listing.ts';
import { itemSchema } from './resources/item.ts';
import { fillPath } from './resources/paths.ts';
import { anyObject, anyObjectOrList, orUnreadable } from './resources/resource.ts';
import { stockParameters, stockSummaryIn } from './resources/stock-summary.ts';
import { orderItemsIn, type TransactionKind, transactionSchema } from './resources/transaction.ts';

/** Addresses, credential, and the optional sections to ask for. */
export interface WarehouseOptions extends ApiOptions {
  /** Optional sections of orders, of their lines, and of receipts (specification 2.4). */
  readonly orderDetail: readonly string[];
  readonly itemDetail: readonly string[];
  readonly receiptDetail: readonly string[];
  /** Timeout of a GET that only enriches announcements, in milliseconds; at most that of any GET, which is the default. */
  readonly partTimeoutMs?: number;
  /** Default: the standard ones. */
  readonly paths?: Paths;
  readonly properties?: Properties;
}

/** Creates a client of the warehouse's API (specification 4.2). It returns bodies as they came, once they proved readable. */
export function createWarehouse(options: WarehouseOptions): Warehouse &
  Listing &
  Pick<Api, 'calls' | 'isFree' | 'close'> & {
    /** Returns the same client, which reports each answer to a GET. */
    observed(onAnswer: OnAnswer): Warehouse;
  } {
  const { paths = standardPaths, properties = standardProperties } = options;
  const { get, calls, isFree, close } = createApi({ ...options, tokenPath: paths.token });
  const { timeoutMs, partTimeoutMs = timeoutMs } = options;
  const part = (operation: PathName) => ({ operation, timeoutMs: Math.min(timeoutMs, partTimeoutMs) });
  const create = (getResource: Get) =>
    createResources(getResource, { paths, properties, parameters: parametersOf(options) }, part);
  return {
    ...create(get),
    observed: (onAnswer) => create((path, schema, signal, rest) => get(path, schema, signal, { ...rest, onAnswer })),
    ...createListing({ get, paths, properties }),
    ...{ calls, isFree, close },
  };
}

/** Paths of resources, and the parameters that ask for their sections. */
interface Places {
  readonly paths: Paths;
  readonly properties: Properties;
  readonly parameters: ReturnType<typeof parametersOf>;
}

function createResources(
  get: Get,
  { paths, properties, parameters }: Places,
  part: (operation: PathName) => GetOptions,
): Warehouse {
  const getObject = async (path: string, signal: AbortSignal, options: GetOptions) =>
    (await get(path, anyObject, signal, options)).body;
  const getAs = async <T extends object>(
    operation: PathName,
    path: string,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ) => {
    const { value, body } = await get(path, schema, signal, { operation });
    return { ...value, body };
  };

  return {
    async getSubject({ kind, id, customerId }, signal) {
      if (kind === 'hold') throw new DocklineError('ERR_WAREHOUSE_REFUSED', 'no operation returns what is on hold');
      if (kind === 'item') {
        return getAs('getItem', fillPath(paths.getItem, { customerId, id }), orUnreadable(itemSchema), signal);
      }
      if (kind !== 'stock') {
        const operation = retrievalOf[kind];
        const path = fillPath(paths[operation], { id }, parameters[kind]);
        return getAs(operation, path, orUnreadable(transactionSchema(kind)), signal);
      }
      const path = fillPath(paths.getStockSummaries, {}, stockParameters(id, properties));
      return stockSummaryIn(await getObject(path, signal, { operation: 'getStockSummaries' }), id, {
        method: 'GET',
        path,
      });
    },
    getOrderItem: (id, orderItemId, signal) =>
      getObject(
        fillPath(paths.getOrdersItem, { id, orderItemId }, parameters.orderItem),
        signal,
        part('getOrdersItem'),
      ),
    async getOrderItems(id, signal) {
      const path = fillPath(paths.getOrder, { id }, parameters.orderItems);
      return orderItemsIn(await getObject(path, signal, { operation: 'getOrder' }));
    },
    getUser: (id, signal) => getObject(fillPath(paths.getUser, { id }), signal, part('getUser')),
    getCustomer: (id, signal) => getObject(fillPath(paths.getCustomer, { id }), signal, part('getCustomer')),
    async getPickList(jobId, signal) {
      return (
        await get(fillPath(paths.getOrdersPicklist, { jobId }), anyObjectOrList, signal, part('getOrdersPicklist'))
      ).body;
    },
  };
}

/** Returns the parameters that ask for the optional sections (specification 2.4). */
function parametersOf({ orderDetail, itemDetail, receiptDetail }: WarehouseOptions) {
  return {
    order: detailParameters({
      detail: orderDetail,
      // The sections of a line can only be asked for together with the lines.
      Itemdetail: orderDetail.includes('orderItems') ? itemDetail : [],
    }),
    orderItems: detailParameters({ detail: ['orderItems'], Itemdetail: itemDetail }),
    orderItem: detailParameters({ detail: itemDetail.map(capitalize) }),
    receipt: detailParameters({ detail: receiptDetail }),
    adjustment: [],
    assembly: [],
  } as const satisfies Record<TransactionKind | 'orderItem' | 'orderItems', readonly string[]>;
}

/** Capitalizes the section of an order item, as the operation for a single item spells it (specification 2.4). */
const capitalize = (section: string): string => section.charAt(0).toUpperCase() + section.slice(1);

function detailParameters(sections: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(sections)
    .filter(([, names]) => names.length > 0)
    .map(([parameter, names]) => `${parameter}=${names.map(encodeURIComponent).join(',')}`);
}
