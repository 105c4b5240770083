import type { Listing, SweptKind } from '../../../activities/ports/sweep.ts';
import { retrievalOf } from '../../domain/catalogue/subject.ts';
import { DocklineError } from '../../domain/errors.ts';
import { paths } from '../resources/paths.ts';
import type { Api } from './api.ts';
import { listedPage, type Row } from './listed-page.ts';
import { describeCall } from './transport.ts';

/** Name of a kind's id in `readOnly`, and largest page; both guessed for adjustments and assemblies. */
const collections = {
  order: { idName: 'orderId', pageLimit: 1000 },
  receipt: { idName: 'receiverId', pageLimit: 500 },
  adjustment: { idName: 'adjustmentId', pageLimit: 500 },
  assembly: { idName: 'assemblyId', pageLimit: 500 },
} as const satisfies Record<SweptKind, { readonly idName: string; readonly pageLimit: number }>;

/**
 * Creates the listings of the warehouse. It silently ignores parameters that it does not know, so a filter may not have been
 * applied: every row is compared with the query, and one that does not match is `ERR_WAREHOUSE_UNFILTERED`.
 */
export function createListing({ get }: Pick<Api, 'get'>): Listing {
  async function list(kind: SweptKind, query: Query, signal: AbortSignal) {
    const { misfit, ...parameters } = query;
    const { idName } = collections[kind];
    const collection = paths[retrievalOf[kind]].replace(/\/\{\w+\}$/, '');
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

/** Parameters of one page; `misfit` returns the reason why a row does not match them. */
interface Query {
  readonly pgsiz: string;
  readonly pgnum: string;
  readonly rql: string;
  readonly misfit: (row: Row) => string | undefined;
}

const unfiltered = (what: string) =>
  new DocklineError('ERR_WAREHOUSE_UNFILTERED', `${what}: the warehouse did not apply the filter`);

const describeChange = (time: string | undefined): string => `changed ${time ?? 'at an unknown time'}`;

/** Length of `2026-02-11T10:42:19`, the precision of a filter. */
const SECONDS = 19;

/** Both are local times without an offset, so they compare as text; a row without a time cannot be checked and does not match. */
function isSince(time: string | undefined, from: string): boolean {
  return time !== undefined && time >= from.slice(0, time.length);
}
