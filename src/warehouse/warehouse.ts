import type { z } from 'zod';
import type { Warehouse } from '../../activities/ports/retrieval.ts';
import type { Listing } from '../../activities/ports/sweep.ts';
import type { Operation } from '../domain/catalogue/operation.ts';
import type { Paths } from '../domain/catalogue/paths.ts';
import type { Properties } from '../domain/catalogue/properties.ts';
import { retrievalOf } from '../domain/catalogue/subject.ts';
import { DocklineError } from '../domain/errors.ts';
import { type Api, type ApiOptions, createApi, type Get, type OnAnswer } from './client/api.ts';
import { createListing } from './client/listing.ts';
import { itemSchema } from './resources/item.ts';
import { fillPath, type Ids } from './resources/paths.ts';
import { anyObject, anyObjectOrList, orUnreadable } from './resources/resource.ts';
import { stockParameters, stockSummaryIn } from './resources/stock-summary.ts';
import { orderItemsIn, type TransactionKind, transactionSchema } from './resources/transaction.ts';

/** Addresses, credential, and the optional sections to ask for. */
export interface WarehouseOptions extends Omit<ApiOptions, 'tokenPath'> {
  /** Optional sections of orders, of their lines, and of receipts (specification 2.4). */
  readonly orderDetail: readonly string[];
  readonly itemDetail: readonly string[];
  readonly receiptDetail: readonly string[];
  /** Timeout of a GET that only enriches announcements, in milliseconds; at most that of any GET, which is the default. */
  readonly partTimeoutMs?: number;
  readonly paths: Paths;
  readonly properties: Properties;
}

/** Creates a client of the warehouse's API (specification 4.2). It returns bodies as they came, once they proved readable. */
export function createWarehouse(options: WarehouseOptions): Warehouse &
  Listing &
  Pick<Api, 'calls' | 'isFree' | 'close'> & {
    /** Returns the same client, which reports each answer to a GET. */
    observed(onAnswer: OnAnswer): Warehouse;
  } {
  const { paths, properties } = options;
  const { get, calls, isFree, close } = createApi({ ...options, tokenPath: paths.token });
  return {
    ...createResources(get, options),
    observed: (onAnswer) =>
      createResources((path, schema, signal, rest) => get(path, schema, signal, { ...rest, onAnswer }), options),
    ...createListing({ get, paths, properties }),
    ...{ calls, isFree, close },
  };
}

/** Answer that is wanted of an operation. */
interface Wanted<T> {
  readonly ids?: Ids;
  readonly parameters?: readonly string[];
  readonly schema: z.ZodType<T>;
  readonly timeoutMs?: number;
}

function createResources(get: Get, options: WarehouseOptions): Warehouse {
  const { paths, properties, timeoutMs, partTimeoutMs = timeoutMs } = options;
  const parameters = parametersOf(options);
  const partMs = Math.min(timeoutMs, partTimeoutMs);
  const call = async <T>(operation: Operation, { ids = {}, schema, ...wanted }: Wanted<T>, signal: AbortSignal) =>
    await get(fillPath(paths[operation], ids, wanted.parameters), schema, signal, {
      operation,
      timeoutMs: wanted.timeoutMs,
    });
  const getSnapshot = async <T extends object>(operation: Operation, wanted: Wanted<T>, signal: AbortSignal) => {
    const { value, body } = await call(operation, wanted, signal);
    return { ...value, body };
  };
  const getPart = async (operation: Operation, wanted: Partial<Wanted<unknown>>, signal: AbortSignal) =>
    (await call(operation, { schema: anyObject, timeoutMs: partMs, ...wanted }, signal)).body;

  return {
    async getSubject({ kind, id, customerId }, signal) {
      if (kind === 'hold') throw new DocklineError('ERR_WAREHOUSE_REFUSED', 'no operation returns what is on hold');
      const operation = retrievalOf[kind];
      if (kind === 'stock') {
        const wanted = { parameters: stockParameters(id, properties), schema: anyObject };
        const { body } = await call(operation, wanted, signal);
        return stockSummaryIn(body, id, { method: 'GET', path: paths[operation] });
      }
      if (kind === 'item') {
        return await getSnapshot(operation, { ids: { customerId, id }, schema: orUnreadable(itemSchema) }, signal);
      }
      const schema = orUnreadable(transactionSchema(kind));
      return await getSnapshot(operation, { ids: { id }, parameters: parameters[kind], schema }, signal);
    },
    async getOrderItems(id, signal) {
      const wanted = { ids: { id }, parameters: parameters.orderItems, schema: anyObject };
      return orderItemsIn((await call('getOrder', wanted, signal)).body);
    },
    getOrderItem: (id, orderItemId, signal) =>
      getPart('getOrdersItem', { ids: { id, orderItemId }, parameters: parameters.orderItem }, signal),
    getUser: (id, signal) => getPart('getUser', { ids: { id } }, signal),
    getCustomer: (id, signal) => getPart('getCustomer', { ids: { id } }, signal),
    getPickList: (jobId, signal) => getPart('getOrdersPicklist', { ids: { jobId }, schema: anyObjectOrList }, signal),
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
