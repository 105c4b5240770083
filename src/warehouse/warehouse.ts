import type { Warehouse } from '../../activities/ports/retrieval.ts';
import type { Listing } from '../../activities/ports/sweep.ts';
import { addresses } from '../domain/catalogue/addresses.ts';
import type { Operation } from '../domain/catalogue/operation.ts';
import type { Paths } from '../domain/catalogue/paths.ts';
import { guessedIds, type Properties } from '../domain/catalogue/properties.ts';
import { readFacts } from '../domain/catalogue/record-facts.ts';
import { retrievalOf } from '../domain/catalogue/subject.ts';
import { DocklineError } from '../domain/errors.ts';
import { parseExactly } from '../domain/json.ts';
import type { Read } from './client/answer.ts';
import { type Api, type ApiOptions, createApi, type Get, type OnAnswer } from './client/api.ts';
import { createListing } from './client/listing.ts';
import { readItem } from './resources/item.ts';
import { fillPath, type Ids } from './resources/paths.ts';
import { provePickList, proveRecord } from './resources/proof.ts';
import { findStockRow, stockNotFound, stockParameters } from './resources/stock-summary.ts';
import { orderItemsIn, readTransaction, type TransactionKind } from './resources/transaction.ts';

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

/** Creates a client of the warehouse's API (specification 4.2). It returns bodies as they came, once they proved to be what was asked for. */
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
      createResources((path, read, signal, rest) => get(path, read, signal, { ...rest, onAnswer }), options),
    ...createListing({ get, paths, properties }),
    calls,
    isFree,
    close,
  };
}

/** Request of an operation, with the reader of its answer. */
interface Request<T> {
  readonly ids?: Ids;
  readonly parameters?: readonly string[];
  readonly read: Read<T>;
  readonly timeoutMs?: number;
}

function createResources(get: Get, options: WarehouseOptions): Warehouse {
  const { paths, properties, timeoutMs, partTimeoutMs = timeoutMs } = options;
  const parameters = parametersOf(options);
  const partMs = Math.min(timeoutMs, partTimeoutMs);
  const call = async <T>(operation: Operation, { ids = {}, read, ...request }: Request<T>, signal: AbortSignal) =>
    await get(fillPath(paths[operation], ids, request.parameters), read, signal, {
      operation,
      timeoutMs: request.timeoutMs,
    });
  const getSnapshot = async <T extends object>(operation: Operation, request: Request<T>, signal: AbortSignal) => {
    const { value, body } = await call(operation, request, signal);
    return { ...value, body };
  };
  const getPart = async (operation: Operation, request: Request<void>, signal: AbortSignal) =>
    (await call(operation, { timeoutMs: partMs, ...request }, signal)).body;
  /** Creates the check that a record is the one with that id. */
  const prove =
    (what: ProvenKind, id: string): Read<void> =>
    (record) =>
      proveRecord(record, {
        what,
        id,
        idPath: properties[`${what}.id`],
        link: addresses[what],
        isGuessed: guessedIds.has(what),
      });

  async function getStock(id: string, signal: AbortSignal) {
    const operation = retrievalOf.stock;
    const request = { parameters: stockParameters(id, properties), read: (page: unknown) => findStockRow(page, id) };
    const { value, body } = await call(operation, request, signal);
    const row = value && findStockRow(parseExactly(body), id);
    if (!row) throw stockNotFound(id, { method: 'GET', path: paths[operation] });
    return row;
  }

  return {
    async getSubject({ kind, id, customerId }, signal) {
      if (kind === 'hold') throw new DocklineError('ERR_WAREHOUSE_REFUSED', 'no operation returns what is on hold');
      if (kind === 'stock') return await getStock(id, signal);
      const isRight = prove(kind, id);
      const read = (record: unknown) => {
        isRight(record);
        const facts = readFacts(record);
        return { ...(kind === 'item' ? readItem(record) : readTransaction(kind, record)), facts };
      };
      const request = kind === 'item' ? { ids: { customerId, id } } : { ids: { id }, parameters: parameters[kind] };
      return await getSnapshot(retrievalOf[kind], { ...request, read }, signal);
    },
    async getOrderItems(id, signal) {
      const request = { ids: { id }, parameters: parameters.orderItems, read: prove('order', id) };
      return orderItemsIn(parseExactly((await call('getOrder', request, signal)).body));
    },
    getOrderItem(id, orderItemId, signal) {
      const request = { ids: { id, orderItemId }, parameters: parameters.orderItem };
      return getPart('getOrdersItem', { ...request, read: prove('orderItem', orderItemId) }, signal);
    },
    getUser: (id, signal) => getPart('getUser', { ids: { id }, read: prove('user', id) }, signal),
    getCustomer: (id, signal) => getPart('getCustomer', { ids: { id }, read: prove('customer', id) }, signal),
    getPickList: (jobId, signal) =>
      getPart('getOrdersPicklist', { ids: { jobId }, read: (list) => provePickList(list, jobId) }, signal),
  };
}

/** Kinds of records whose own id is a property. */
type ProvenKind = TransactionKind | 'item' | 'orderItem' | 'customer' | 'user';

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
