import { stockSummariesPath } from '../resources/inventory.ts';
import { link, type Resource, relation } from '../resources/resource.ts';
import { requestedSections } from '../resources/sections.ts';
import { showSubject } from '../resources/subject.ts';
import { addresses } from '../resources/transaction.ts';
import type { TransactionKind } from '../state/transaction.ts';
import type { ApiOperation } from './operations.ts';
import type { ApiRequest } from './retrievals.ts';
import { parseRql, sortRows } from './rql.ts';
import { vendorError } from './vendor-error.ts';

/** Operation that returns rows, page by page. */
export interface Listing {
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

const DEFAULT_PAGE_SIZE = 100;

/** Returns the requested page, in the shape of HAL or of plain JSON. Throws a VendorError for an invalid parameter. */
export function listPage(
  { kind, path, pageSizeLimit }: Listing,
  { view, query }: ApiRequest,
  { ignoreRql, plain }: { readonly ignoreRql: boolean; readonly plain: boolean },
): Resource {
  const size = readNumber(query, 'pgsiz', DEFAULT_PAGE_SIZE, pageSizeLimit);
  const number = readNumber(query, 'pgnum', 1, Number.MAX_SAFE_INTEGER);
  const sections = requestedSections(query);
  const rows = view.list(kind).map((state) => showSubject(state, sections, view).body);
  const found = ignoreRql ? rows : rows.filter(parseRql(query.get('rql') ?? ''));
  const totalResults = found.length;
  const pageOf = (all: readonly Resource[]) => all.slice((number - 1) * size, number * size);
  if (kind === 'stock') return { totalResults, summaries: pageOf(found) };
  const page = pageOf(sortRows(found, query.get('sort')));
  if (plain) return { totalResults, resourceList: page };
  const linkTo = (pgnum: number) => link(`${path}?${withPage(query, pgnum)}`);
  const links = { self: linkTo(number), ...(number * size < totalResults && { next: linkTo(number + 1) }) };
  return { totalResults, _embedded: { [relation(addresses[kind].rel)]: page }, _links: links };
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
