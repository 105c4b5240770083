import { readerOf } from '../base/json.ts';
import { capitalized, words } from '../base/text.ts';
import { parseExactly } from '../base/untrusted-json.ts';
import type { Operation, PathName, Paths } from '../domain/catalogue/operation.ts';
import { locationOf, type Properties, type ProvenKind } from '../domain/catalogue/properties.ts';
import { listOf, rowsOf } from '../domain/catalogue/rows.ts';
import {
  isSwept,
  kindOf,
  retrievalOf,
  type SubjectKind,
  type SubjectRef,
  type SweptKind,
} from '../domain/catalogue/subject.ts';
import { DocklineError } from '../domain/errors.ts';
import { addressOf } from '../domain/kinds/kind.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import { orderItemsIn } from '../domain/kinds/order/advice.ts';
import { type Reading, readRecord } from '../domain/kinds/record.ts';
import { parseStockId, readStockSummary, stockId } from '../domain/kinds/stock/summary.ts';
import { readNumber } from '../domain/wire-values.ts';
import { provePickList, proveRecord, type Read, refuseErrors, UnprovenAnswer } from './client/answer.ts';
import { type ApiOptions, createApi, type Get, type OnAnswer } from './client/api.ts';
import { Listings } from './client/listing.ts';
import { describeCall, fillPath, type Ids } from './client/transport.ts';
import type { RetrievedSubject, Urgency } from './gets.ts';
import { createTransactionPages, type PageOptions, type TransactionPages } from './transaction-pages.ts';

/** The warehouse's limit. */
const PAGE_SIZE = 500;

/** All rows of an item in its facility: qualifiers cannot be filtered. */
function stockParameters(id: string, properties: Properties): string[] {
  const { facilityId, itemId } = parseStockId(id) ?? {};
  if (!facilityId || !itemId) throw new DocklineError('ERR_WAREHOUSE_REFUSED', `no stock summary has the id "${id}"`);
  const filter = `${properties['stock.facility']}==${facilityId};${properties['stock.item']}==${itemId}`;
  return [`pgsiz=${PAGE_SIZE}`, 'pgnum=1', `rql=${encodeURIComponent(filter)}`];
}

/**
 * The warehouse ignores a filter that it does not understand, so other rows are skipped; absence proves nothing while
 * there are more pages. Null if the answer shows that there is none. Throws `UnprovenAnswer`.
 */
function findStockRow(page: unknown, id: string) {
  const read = readerOf(page);
  const rows = listOf(read('summaries')) ?? rowsOf(page);
  const total = readNumber(read('totalresults'));
  if (!rows && total !== 0) throw new UnprovenAnswer('without stock summaries');
  const found = rows ?? [];
  if (found.length === 0) refuseErrors(page);
  for (const row of found) {
    const summary = readStockSummary(readerOf(row));
    if (!summary || stockId(summary.key) !== id) continue;
    refuseErrors(row);
    const { snapshot, disputed } = summary;
    return { snapshot, body: JSON.stringify(row), ...(disputed && { disputed }) };
  }
  const isWhole = total === undefined ? found.length < PAGE_SIZE : found.length >= total;
  if (!isWhole) throw new UnprovenAnswer(`without a row of ${id} on the first of several pages`);
  return null;
}

export interface WarehouseOptions
  extends Omit<ApiOptions, 'tokenPath'>,
    Pick<PageOptions, 'pagesOffMs' | 'onPageLimitation' | 'othersWaiting'> {
  readonly orderDetail: readonly string[];
  readonly itemDetail: readonly string[];
  readonly receiptDetail: readonly string[];
  readonly paths: Paths;
  readonly properties: Properties;
  /** Called for each GET; `error` if it failed. */
  readonly onOutcome?: ((operation: PathName, error?: unknown) => void) | undefined;
}

/** Client of the warehouse's API (specification 4.2). Returns bodies as they came, once they proved to be what was asked for. */
export function createWarehouse(options: WarehouseOptions) {
  const { paths, properties } = options;
  const created = createApi({ ...options, tokenPath: paths.token });
  const api = { ...created, get: watched(created.get, options.onOutcome) };
  const { get, calls, pace, close } = api;
  const parameters = parametersOf(options);
  const pages = createTransactionPages(api, { ...options, parameters, prove: proofBy(properties) });
  const listings = new Listings({ get, paths, properties });
  return {
    ...createResources(get, pages, { ...options, parameters }),
    observed: (onAnswer: OnAnswer) => createResources(get, pages, { ...options, parameters }, onAnswer),
    list: listings.list.bind(listings),
    listByIds: listings.listByIds.bind(listings),
    calls,
    isFree: pace.isFree,
    close,
  };
}

const watched =
  (get: Get, onOutcome: WarehouseOptions['onOutcome'] = () => {}): Get =>
  async (path, read, signal, options) => {
    try {
      const proved = await get(path, read, signal, options);
      onOutcome(options.operation);
      return proved;
    } catch (error) {
      onOutcome(options.operation, error);
      throw error;
    }
  };

interface Request<T> {
  readonly ids?: Ids;
  readonly parameters?: readonly string[];
  readonly read: Read<T>;
  readonly timeoutMs?: number;
}

/**
 * Each call is one authenticated GET without retries; a failure is a `DocklineError` with an `ERR_WAREHOUSE_` code.
 * Resources are JSON text.
 */
export type Warehouse = ReturnType<typeof createResources>;

/** Of the timeout of a GET: announcements need not wait longer for what only enriches them. */
const PART_SHARE = 0.15;

type ResourceOptions = WarehouseOptions & { readonly parameters: ReturnType<typeof parametersOf> };

function createResources(get: Get, pages: TransactionPages, options: ResourceOptions, onAnswer?: OnAnswer) {
  const { paths, properties, parameters } = options;
  const partMs = Math.ceil(PART_SHARE * options.timeoutMs);
  const call = async <T>(
    operation: Operation,
    { ids = {}, read, ...request }: Request<T>,
    signal: AbortSignal,
    urgency: Urgency = {},
  ) =>
    await get(fillPath(paths[operation], ids, request.parameters), read, signal, {
      operation,
      timeoutMs: request.timeoutMs,
      onAnswer,
      ...urgency,
    });
  const getPart = async (operation: Operation, request: Request<void>, signal: AbortSignal, urgency?: Urgency) =>
    (await call(operation, { ...request, timeoutMs: partMs }, signal, urgency)).body;
  const prove = proofBy(properties);

  const readOwn =
    (kind: SubjectKind, id: string): Read<Reading> =>
    (record) => {
      prove(kind as ProvenKind, id)(record);
      return readRecord(kind, record, properties);
    };

  async function getStock(id: string, signal: AbortSignal, urgency?: Urgency) {
    const operation = retrievalOf.stock;
    const request = { parameters: stockParameters(id, properties), read: (page: unknown) => findStockRow(page, id) };
    const { value, body } = await call(operation, request, signal, urgency);
    // Again, with every digit.
    const row = value && findStockRow(parseExactly(body), id);
    if (row) return row;
    const asked = describeCall({ method: 'GET', path: paths[operation] });
    throw new DocklineError('ERR_WAREHOUSE_NOT_FOUND', `${asked} answered without a row of ${id}`);
  }

  return {
    /** An item is found by its customer. */
    async getSubject(
      { kind, id, customerId }: SubjectRef & { readonly customerId?: string },
      signal: AbortSignal,
      urgency?: Urgency,
    ): Promise<RetrievedSubject> {
      const own = retrievalOf[kind];
      if (own === null) throw new DocklineError('ERR_WAREHOUSE_REFUSED', `no operation returns a ${words(kind)}`);
      if (kindOf(kind).id === undefined) return await getStock(id, signal, urgency);
      const { value, body } = isSwept(kind)
        ? await pages[kind].load(id, signal, { onAnswer, ...urgency })
        : await call(own, { ids: { customerId, id }, read: readOwn(kind, id) }, signal, urgency);
      return { ...value, body };
    },
    async getOrderItems(id: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
      const request = { ids: { id }, parameters: parameters.orderItems, read: prove(mainKind, id) };
      return orderItemsIn(parseExactly((await call('getOrder', request, signal)).body));
    },
    getOrderItem(id: string, orderItemId: string, signal: AbortSignal) {
      const request = { ids: { id, orderItemId }, parameters: parameters.orderItem };
      return getPart('getOrdersItem', { ...request, read: prove('orderItem', orderItemId) }, signal);
    },
    getUser: (id: string, signal: AbortSignal, urgency?: Urgency) =>
      getPart('getUser', { ids: { id }, read: prove('user', id) }, signal, urgency),
    getCustomer: (id: string, signal: AbortSignal, urgency?: Urgency) =>
      getPart('getCustomer', { ids: { id }, read: prove('customer', id) }, signal, urgency),
    getPickList: (jobId: string, signal: AbortSignal, urgency?: Urgency) =>
      getPart('getOrdersPicklist', { ids: { jobId }, read: (list) => provePickList(list, jobId) }, signal, urgency),
  };
}

const proofBy =
  (properties: Properties) =>
  (what: ProvenKind, id: string): Read<void> => {
    const place = locationOf(what);
    const own = { idPath: properties[`${what}.id`], link: addressOf(place), isGuessed: place.isIdGuessed };
    return (record) => proveRecord(record, { what, id, ...own });
  };

function parametersOf({ orderDetail, itemDetail, receiptDetail }: WarehouseOptions) {
  return {
    order: detailParameters({
      detail: orderDetail,
      // The sections of a line can only be asked for together with the lines.
      Itemdetail: orderDetail.includes('orderItems') ? itemDetail : [],
    }),
    orderItems: detailParameters({ detail: ['orderItems'], Itemdetail: itemDetail }),
    orderItem: detailParameters({ detail: itemDetail.map(capitalized) }),
    receipt: detailParameters({ detail: receiptDetail }),
  } satisfies { readonly [K in SweptKind | 'orderItem' | 'orderItems']?: readonly string[] };
}

/** As the operation for a single item spells it (specification 2.4). */

function detailParameters(sections: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(sections)
    .filter(([, names]) => names.length > 0)
    .map(([parameter, names]) => `${parameter}=${names.map(encodeURIComponent).join(',')}`);
}
