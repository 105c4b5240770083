import type { Manners } from '../manners.ts';
import { stockSummariesPath } from '../resources/inventory.ts';
import { link, type Resource, relation } from '../resources/resource.ts';
import { requestedSections } from '../resources/sections.ts';
import { showSubject } from '../resources/subject.ts';
import { addresses } from '../resources/transaction.ts';
import type { TransactionKind } from '../state/transaction.ts';
import type { ApiOperation } from './faults.ts';
import type { PageLie } from './lies.ts';
import { type ApiRequest, enlarge } from './retrievals.ts';
import { parseRql, parseSort, propertiesIn, sortRows } from './rql.ts';
import { vendorError } from './vendor-error.ts';

/** Operation that returns rows, page by page. */
interface Listing {
  readonly operation: ApiOperation;
  readonly path: string;
  readonly kind: TransactionKind | 'stock';
  readonly pageSizeLimit: number;
}

/** Every operation that returns rows. The limits of adjustments and assemblies are a guess after those of receipts. */
export const listings: readonly Listing[] = [
  { operation: 'getOrders', path: addresses.order.path, kind: 'order', pageSizeLimit: 1000 },
  { operation: 'getReceivers', path: addresses.receipt.path, kind: 'receipt', pageSizeLimit: 500 },
  { operation: 'getAdjustments', path: addresses.adjustment.path, kind: 'adjustment', pageSizeLimit: 500 },
  { operation: 'getAssemblies', path: addresses.assembly.path, kind: 'assembly', pageSizeLimit: 500 },
  { operation: 'getStockSummaries', path: stockSummariesPath, kind: 'stock', pageSizeLimit: 500 },
];

const transaction = [
  'referenceNum',
  'readOnly.status',
  'readOnly.isClosed',
  'readOnly.deferNotification',
  'readOnly.creationDate',
  'readOnly.lastModifiedDate',
  'readOnly.lastModifiedByIdentifier.id',
  'readOnly.customerIdentifier.id',
  'readOnly.facilityIdentifier.id',
];

/** Properties by which the rows of each kind can be filtered and sorted. The lists are guesses. */
const supported: Readonly<Record<Listing['kind'], readonly string[]>> = {
  order: [
    ...transaction,
    'poNum',
    'externalId',
    'readOnly.orderId',
    'readOnly.fullyAllocated',
    'readOnly.processDate',
    'readOnly.pickDoneDate',
    'readOnly.packDoneDate',
  ],
  receipt: [...transaction, 'poNum', 'readOnly.receiverId', 'arrivalDate', 'expectedDate'],
  adjustment: [...transaction, 'readOnly.adjustmentId', 'itemIdentifier.id', 'itemIdentifier.sku'],
  assembly: [...transaction, 'readOnly.assemblyId', 'itemIdentifier.id', 'itemIdentifier.sku'],
  stock: [
    'facilityId',
    'itemIdentifier.id',
    'itemIdentifier.sku',
    'qualifier',
    'onHand',
    'available',
    'allocated',
    'onHold',
  ],
};

const DEFAULT_PAGE_SIZE = 100;

/** Returns the requested page, in the shape of HAL or of plain JSON. Throws a VendorError for an invalid parameter. */
export function listPage(
  { kind, path, pageSizeLimit }: Listing,
  { view, query }: ApiRequest,
  { ignoreRql, plain, isWrong, lie }: ListingManner,
): Resource {
  const rql = ignoreRql || lie === 'rowsUnasked' ? '' : (query.get('rql') ?? '');
  const sort = parseSort(query.get('sort') ?? '');
  refuseProperties(kind, [...propertiesIn(rql), ...sort.map(({ property }) => property)], view.manners);
  const size = readNumber(query, 'pgsiz', DEFAULT_PAGE_SIZE, pageSizeLimit);
  const number = readNumber(query, 'pgnum', 1, Number.MAX_SAFE_INTEGER);
  const sections = requestedSections(query);
  const states = view.list(kind);
  const rows = states.map((state) => showSubject(state, sections, view).body);
  const found = rows.filter(parseRql(rql));
  const totalResults = found.length;
  const pageOf = (all: readonly Resource[]) => all.slice((number - 1) * size, number * size);
  if (kind === 'stock') {
    const [stranger] = isWrong ? rows.filter((row) => !found.includes(row)) : [];
    return stranger ? { totalResults: 1, summaries: [stranger] } : { totalResults, summaries: pageOf(found) };
  }
  const idOf = (row: Resource) => Number(states[rows.indexOf(row)]?.id ?? 0);
  const shown = distort(pageOf(sortRows(found, sort)), lie, (row) => {
    const before = view.listEarlier(kind).find(({ id }) => id === idOf(row));
    return before && showSubject(before, sections, view).body;
  });
  const isLarge = kind === 'order' && sections.detail.has('savedElements');
  const page = shown.map((row) => (isLarge ? enlarge(row, view.extraElements(idOf(row))) : row));
  if (plain) return { totalResults, resourceList: page };
  const linkTo = (pgnum: number) => link(`${path}?${withPage(query, pgnum)}`);
  const links = { self: linkTo(number), ...(number * size < totalResults && { next: linkTo(number + 1) }) };
  return { totalResults, _embedded: { [relation(addresses[kind].rel)]: page }, _links: links };
}

interface ListingManner extends Record<'ignoreRql' | 'plain' | 'isWrong', boolean> {
  readonly lie: PageLie | undefined;
}

/** Changes the rows of a page in the way of a lie; `earlier` returns a row as it was before. */
function distort(
  rows: readonly Resource[],
  lie: PageLie | undefined,
  earlier: (row: Resource) => Resource | undefined,
): readonly Resource[] {
  switch (lie) {
    case 'rowsMissing':
      return rows.filter((_, index) => index % 3 !== 2);
    case 'rowsRepeated':
      return rows.flatMap((row, index) => (index % 3 === 2 ? [row, row] : [row]));
    case 'rowsReversed':
      return rows.toReversed();
    case 'rowsOld':
      return rows.map((row, index) => (index % 2 === 1 ? earlier(row) : row)).filter((row) => row !== undefined);
    default:
      return rows;
  }
}

/** Refuses properties that are unknown or that the manners refuse, in any case. */
function refuseProperties(kind: Listing['kind'], named: readonly string[], { refusedProperties }: Manners): void {
  const toKey = (property: string) => property.toLowerCase();
  const known = new Set(supported[kind].map(toKey)).difference(new Set(refusedProperties.map(toKey)));
  const unsupported = named.filter((property) => !known.has(toKey(property)));
  if (unsupported.length > 0)
    throw vendorError(400, 'NotSupported', `Properties not supported: ${unsupported.join(', ')}`);
}

function withPage(query: URLSearchParams, pgnum: number): URLSearchParams {
  const changed = new URLSearchParams(query);
  changed.set('pgnum', String(pgnum));
  return changed;
}

function readNumber(query: URLSearchParams, name: string, standard: number, limit: number): number {
  const number = Number(query.get(name) ?? standard);
  if (!Number.isSafeInteger(number) || number < 1 || number > limit) throw vendorError(400, 'NotParsable', name);
  return number;
}
