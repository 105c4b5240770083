import { link, type Resource } from '../resources/resource.ts';
import type { Listing } from './listings.ts';
import { parameterOf, type Query, withParameter } from './query.ts';
import { vendorError } from './vendor-error.ts';

/** Which page of how many rows is asked for. */
export interface Paging {
  readonly size: number;
  /** From 1. */
  readonly number: number;
}

const DEFAULT_SIZE = 100;

/** Reads `pgsiz` and `pgnum`; throws a VendorError for a page that is too large or that there cannot be. */
export function readPaging(query: Query, sizeLimit: number): Paging {
  return {
    size: readNumber(query, 'pgsiz', DEFAULT_SIZE, sizeLimit),
    number: readNumber(query, 'pgnum', 1, Number.MAX_SAFE_INTEGER),
  };
}

function readNumber(query: Query, name: string, standard: number, limit: number): number {
  const text = parameterOf(query, name);
  const number = text === undefined ? standard : Number(text);
  if (!Number.isSafeInteger(number) || number < 1 || number > limit) throw vendorError(400, 'NotParsable', name);
  return number;
}

/** Cuts a page out of all rows, in the shape of HAL or, where it is plain, of `application/json`. */
export function toPage(
  all: readonly Resource[],
  {
    listing: { relation, path },
    query,
    paging: { size, number },
    plain,
  }: { readonly listing: Listing; readonly query: Query; readonly paging: Paging; readonly plain: boolean },
): Resource {
  const totalResults = all.length;
  const rows = all.slice((number - 1) * size, number * size);
  if (relation === null) return { totalResults, summaries: rows };
  if (plain) return { totalResults, resourceList: rows };
  const linkTo = (page: number) => link(`${path}?${withParameter(query, 'pgnum', String(page))}`);
  const links = { self: linkTo(number), ...(number * size < totalResults && { next: linkTo(number + 1) }) };
  return { totalResults, _embedded: { [relation]: rows }, _links: links };
}
