import { standardPaths } from '../../../src/domain/catalogue/operation.ts';
import { isRow, type RowKind, rowKinds, type SweptKind, sweptKinds } from '../../../src/domain/catalogue/subject.ts';
import { kinds, mainKind } from '../../../src/domain/kinds/kinds.ts';
import { kindOf } from '../kinds/kinds.ts';
import { addresses } from '../kinds/transaction.ts';
import type { Manners } from '../manners.ts';
import { link, type Resource, relation } from '../resources/resource.ts';
import { requestedSections } from '../resources/sections.ts';
import { showSubject } from '../resources/subject.ts';
import type { ApiOperation, Faults } from './faults.ts';
import type { PageLie } from './lies.ts';
import { type ApiRequest, enlarge } from './retrievals.ts';
import { parseRql, parseSort, propertiesIn, sortRows } from './rql.ts';
import { vendorError } from './vendor-error.ts';

/** Operation that returns rows, page by page. */
interface Listing {
  readonly operation: ApiOperation;
  readonly path: string;
  readonly kind: SweptKind | RowKind;
  readonly pageSizeLimit: number;
}

/** Every operation that returns rows. */
export const listings: readonly Listing[] = [
  ...sweptKinds.map((kind) => {
    const { operation, pageLimit } = kinds[kind].listing;
    return { operation, path: addresses[kind].path, kind, pageSizeLimit: pageLimit };
  }),
  ...rowKinds.map((kind) => {
    const { retrieval: operation } = kinds[kind];
    return { operation, path: standardPaths[operation], kind, pageSizeLimit: 500 };
  }),
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

const supportedBy = (kind: Listing['kind']): readonly string[] => [
  ...(isRow(kind) ? [] : [...transaction, kinds[kind].id]),
  ...(kindOf(kind).properties ?? []),
];

const DEFAULT_PAGE_SIZE = 100;

/** Returns the requested page and the number of its rows, in the shape of HAL or of plain JSON. Throws a VendorError for an invalid parameter. */
export function listPage(
  { kind, path, pageSizeLimit }: Listing,
  { view, query }: ApiRequest,
  { faults, plain, isWrong, lie }: ListingManner,
): { readonly count: number; readonly page: Resource } {
  const rql = faults.ignoreRql || lie === 'rowsUnasked' ? '' : (query.get('rql') ?? '');
  const sort = parseSort(query.get('sort') ?? '');
  refuseProperties(kind, [...propertiesIn(rql), ...sort.map(({ property }) => property)], view.manners);
  const asked = readNumber(query, 'pgsiz', DEFAULT_PAGE_SIZE, pageSizeLimit);
  const size = Math.min(asked, faults.listingCap ?? asked);
  const number = readNumber(query, 'pgnum', 1, Number.MAX_SAFE_INTEGER);
  const sections = requestedSections(query);
  const states = view.list(kind);
  const rows = states.map((state) => showSubject(state, sections, view).body);
  const found = rows.filter(parseRql(rql));
  const totalOf = (rows: readonly Resource[]) => ({ totalResults: faults.pageTotal ? rows.length : found.length });
  const pageOf = (all: readonly Resource[]) => all.slice((number - 1) * size, number * size);
  if (isRow(kind)) {
    const [stranger] = isWrong ? rows.filter((row) => !found.includes(row)) : [];
    const summaries = stranger ? [stranger] : pageOf(found);
    return { count: summaries.length, page: { ...(stranger ? { totalResults: 1 } : totalOf(summaries)), summaries } };
  }
  const idOf = (row: Resource) => Number(states[rows.indexOf(row)]?.id ?? 0);
  const shown = distort(pageOf(sortRows(found, sort)), lie, (row) => {
    const before = view.listEarlier(kind).find(({ id }) => id === idOf(row));
    return before && showSubject(before, sections, view).body;
  });
  const isLarge = kind === mainKind && sections.detail.has('savedElements');
  const rowsShown = shown.map((row) => (isLarge ? enlarge(row, view.extraElements(idOf(row))) : row));
  const count = rowsShown.length;
  if (plain) return { count, page: { ...totalOf(rowsShown), resourceList: rowsShown } };
  const linkTo = (pgnum: number) => link(`${path}?${withPage(query, pgnum)}`);
  const links = { self: linkTo(number), ...(number * size < found.length && { next: linkTo(number + 1) }) };
  const embedded = { [relation(addresses[kind].rel)]: rowsShown };
  return { count, page: { ...totalOf(rowsShown), _embedded: embedded, _links: links } };
}

interface ListingManner extends Record<'plain' | 'isWrong', boolean> {
  readonly faults: Faults;
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
  const known = new Set(supportedBy(kind).map(toKey)).difference(new Set(refusedProperties.map(toKey)));
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
