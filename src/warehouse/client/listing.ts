import type { ListedBy, ListedPage, Listing, ListQuery, SweptKind } from '../../../activities/ports/sweep.ts';
import type { PathName, Paths } from '../../domain/catalogue/paths.ts';
import type { Properties } from '../../domain/catalogue/properties.ts';
import { DocklineError } from '../../domain/errors.ts';
import { fillPath } from '../resources/paths.ts';
import type { Api } from './api.ts';
import { type Row, readListedPage } from './listed-page.ts';
import {
  describeLimitation,
  describeRefusedIds,
  firstAccepted,
  isRefusedQuery,
  requestsOf,
} from './listing-requests.ts';
import { describeCall } from './transport.ts';

/** Path of each collection, and its largest page, which is guessed for adjustments and assemblies. */
const collections = {
  order: { path: 'getOrders', pageLimit: 1000 },
  receipt: { path: 'getReceivers', pageLimit: 500 },
  adjustment: { path: 'getAdjustments', pageLimit: 500 },
  assembly: { path: 'getAssemblies', pageLimit: 500 },
} as const satisfies Record<SweptKind, { readonly path: PathName; readonly pageLimit: number }>;

/** Addresses and names that the listings use. */
interface ListingDeps extends Pick<Api, 'get'> {
  readonly paths: Paths;
  readonly properties: Properties;
}

/**
 * Creates the listings of the warehouse. It refuses filters and sorts by properties that it does not support; the next best request
 * follows. It silently ignores parameters that it does not know, so every row is compared with the query: one that the filter should have
 * left out is `ERR_WAREHOUSE_UNFILTERED`.
 */
export function createListing({ get, paths, properties }: ListingDeps): Listing {
  async function request(kind: SweptKind, { misfit, ...parameters }: Query, signal: AbortSignal) {
    const operation = collections[kind].path;
    const path = fillPath(paths[operation], {}, String(new URLSearchParams(parameters)).split('&'));
    const rowProperties = { id: properties[`${kind}.id`], changed: properties[`${kind}.changed`] };
    const read = (answer: unknown) => readListedPage(kind, rowProperties, answer);
    const { value } = await get(path, read, signal, { operation });
    for (const row of value.rows) {
      const why = misfit(row);
      if (!why) continue;
      const answer = `${describeCall({ method: 'GET', path })} answered with ${kind} ${row.id}, ${why}`;
      throw new DocklineError('ERR_WAREHOUSE_UNFILTERED', `${answer}: the warehouse did not apply the filter`);
    }
    return value;
  }

  async function listBy(query: ListQuery, by: ListedBy, signal: AbortSignal): Promise<ListedPage> {
    const { kind, page } = query;
    const from = query.since === null ? null : new Date(query.since).toISOString().slice(0, SECONDS);
    const pageSize = Math.min(query.pageSize, collections[kind].pageLimit);
    const changed = by.filter === 'changed' && { rql: `${properties[`${kind}.changed`]}=ge=${from}` };
    const open = by.filter === 'open' && { rql: `${properties[`${kind}.closed`]}==false` };
    const sort = by.sorted && { sort: properties[`${kind}.id`] };
    const isWanted = (row: Row) => (from === null ? isOpen(row) : isSince(row, from, by));
    const misfit = (row: Row) => (changed && !isWanted(row) ? describeChange(row) : undefined);
    const parameters = { pgsiz: String(pageSize), pgnum: String(page), ...changed, ...open, ...sort };
    const { rows, total } = await request(kind, { ...parameters, misfit }, signal);
    return { rows: rows.filter(isWanted), count: rows.length, pageSize, by, ...(total !== undefined && { total }) };
  }

  return {
    async list(query, signal) {
      const page = await firstAccepted(query.by ? [query.by] : requestsOf(query), (by) => listBy(query, by, signal));
      const limitation = query.by ? undefined : describeLimitation(query, page.by, properties);
      return { ...page, ...(limitation && { limitation }) };
    },

    async listByIds(kind, ids, signal) {
      const asked = new Set(ids.filter((one) => /^[\w-]+$/.test(one)));
      if (asked.size === 0) return { rows: [] };
      const rql = `${properties[`${kind}.id`]}=in=(${[...asked].join(',')})`;
      const misfit = (row: Row) => (asked.has(row.id) ? undefined : 'which was not asked for');
      try {
        return { rows: (await request(kind, { pgsiz: String(asked.size), pgnum: '1', rql, misfit }, signal)).rows };
      } catch (error) {
        if (!isRefusedQuery(error)) throw error;
        return { rows: null, limitation: describeRefusedIds(kind, properties) };
      }
    },
  };
}

/** Parameters of one page; `misfit` returns the reason why a row does not match them. */
interface Query {
  readonly pgsiz: string;
  readonly pgnum: string;
  readonly rql?: string;
  readonly sort?: string;
  readonly misfit: (row: Row) => string | undefined;
}

const describeChange = ({ changedAt }: Row): string => `changed ${changedAt ?? 'at an unknown time'}`;

/** Length of `2026-02-11T10:42:19`, the precision of a filter. */
const SECONDS = 19;

/** Canceled ones are not closed for the warehouse. A row without a status may be open. */
const isOpen = ({ snapshot: { status } }: Row): boolean => status === undefined || status === 'open';

/**
 * Both are local times without an offset, so they compare as text. A row without a time does not match the filter; without the filter
 * it may have changed if it is open.
 */
function isSince(row: Row, from: string, { filter }: ListedBy): boolean {
  const { changedAt } = row;
  if (changedAt === undefined) return filter !== 'changed' && isOpen(row);
  return changedAt >= from.slice(0, changedAt.length);
}
