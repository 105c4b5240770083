import type { Listing, SweptKind } from '../../../activities/sweep-ports.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { WarehousePaths } from '../resources/paths.ts';
import type { Api } from './api.ts';
import { listedPage, type Row } from './listed-page.ts';
import { describeCall } from './transport.ts';

/** What the ids of a kind are called in `readOnly`, and how many rows a page of it has at most; guessed for the last two. */
const collections = {
  order: { idName: 'orderId', pageLimit: 1000 },
  receipt: { idName: 'receiverId', pageLimit: 500 },
  adjustment: { idName: 'adjustmentId', pageLimit: 500 },
  assembly: { idName: 'assemblyId', pageLimit: 500 },
} as const satisfies Record<SweptKind, { readonly idName: string; readonly pageLimit: number }>;

/**
 * The listings of the warehouse. It ignores parameters that it does not know without a word, so a filter may not have been
 * applied: every row is held against what was asked for, and one that does not fit is `ERR_WAREHOUSE_UNFILTERED`.
 */
export function createListing({
  get,
  paths,
}: Pick<Api, 'get'> & { readonly paths: Pick<WarehousePaths, SweptKind> }): Listing {
  async function list(kind: SweptKind, query: Query, signal: AbortSignal) {
    const { misfit, ...parameters } = query;
    const { idName } = collections[kind];
    const collection = paths[kind].replace(/\/\{\w+\}$/, '');
    const path = `${collection}?${new URLSearchParams({ ...parameters, sort: `readOnly.${idName}` })}`;
    const { value } = await get(path, listedPage(kind, idName), signal);
    for (const row of value.rows) {
      const why = misfit(row);
      if (why) throw unfiltered(`${describeCall({ method: 'GET', path })} answered with ${kind} ${row.id}, ${why}`);
    }
    return value;
  }

  return {
    async listChanged({ kind, since, page, ...wanted }, signal) {
      const from = new Date(since).toISOString().slice(0, SECONDS);
      const pageSize = Math.min(wanted.pageSize, collections[kind].pageLimit);
      const query = {
        ...{ pgsiz: String(pageSize), pgnum: String(page), rql: `readOnly.lastModifiedDate=ge=${from}` },
        misfit: ({ changedAt }: Row) => (isSince(changedAt, from) ? undefined : describeChange(changedAt)),
      };
      const { rows, total } = await list(kind, query, signal);
      return { rows, pageSize, ...(total !== undefined && { total }) };
    },

    async listByIds(kind, ids, signal) {
      const asked = new Set(ids.filter((one) => /^[\w-]+$/.test(one)));
      if (asked.size === 0) return [];
      const rql = `readOnly.${collections[kind].idName}=in=(${[...asked].join(',')})`;
      const misfit = (row: Row) => (asked.has(row.id) ? undefined : 'which was not asked for');
      return (await list(kind, { pgsiz: String(asked.size), pgnum: '1', rql, misfit }, signal)).rows;
    },
  };
}

/** The parameters of one page, and why a row is none of those that they ask for; undefined for one that is. */
interface Query {
  readonly pgsiz: string;
  readonly pgnum: string;
  readonly rql: string;
  readonly misfit: (row: Row) => string | undefined;
}

const unfiltered = (what: string) =>
  new DocklineError('ERR_WAREHOUSE_UNFILTERED', `${what}: the warehouse did not apply the filter`);

const describeChange = (time: string | undefined): string => `changed ${time ?? 'at a time that it does not tell'}`;

/** How much of `2026-02-11T10:42:19.063` a filter tells. */
const SECONDS = 19;

/** Both are local times without an offset, so they compare as text; a row that tells no time cannot be checked and does not fit. */
function isSince(time: string | undefined, from: string): boolean {
  return time !== undefined && time >= from.slice(0, time.length);
}
