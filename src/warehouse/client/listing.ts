import { words } from '../../base/text.ts';
import type { Paths } from '../../domain/catalogue/operation.ts';
import type { Properties } from '../../domain/catalogue/properties.ts';
import { collectionOf, type SweptKind } from '../../domain/catalogue/subject.ts';
import { DocklineError } from '../../domain/errors.ts';
import { kinds } from '../../domain/kinds/kinds.ts';
import { rankOf } from '../../domain/priority.ts';
import { readTime } from '../../domain/wire-values.ts';
import type { ListedBy, ListedPage, ListedRow, ListQuery } from '../gets.ts';
import type { Api } from './api.ts';
import {
  describeIgnored,
  describeLimitation,
  describeUnlistedIds,
  firstAccepted,
  isUnapplied,
  requestsOf,
} from './listing-requests.ts';
import { type Row, readListedPage } from './page-answer.ts';
import { describeCall, fillPath } from './transport.ts';

interface ListingDeps extends Pick<Api, 'get'> {
  readonly paths: Paths;
  readonly properties: Properties;
}

/**
 * The warehouse refuses filters and sorts that it does not support, and silently ignores unknown parameters, so every
 * row is compared with the query; where one proves that a filter was ignored, the next best request follows. Later
 * pages of the same listing leave such rows out. Each call is one GET, or a few if the warehouse refuses a filter. Fails
 * with `ERR_WAREHOUSE_UNFILTERED` if a row does not match the query or a page repeats another.
 */
export class Listings {
  readonly #deps: ListingDeps;
  /** Kinds that have answered, so that a 404 says that no rows match. */
  readonly #answered = new Set<SweptKind>();

  constructor(deps: ListingDeps) {
    this.#deps = deps;
  }

  /** `misfit` returns the reason why a row does not match the parameters of its page. */
  async #request(
    kind: SweptKind,
    parameters: Readonly<Record<string, string>>,
    misfit: (row: Row) => string | undefined,
    signal: AbortSignal,
  ): Promise<Rows> {
    const { get, paths, properties } = this.#deps;
    const operation = kinds[kind].listing.operation;
    const path = fillPath(paths[operation], {}, String(new URLSearchParams(parameters)).split('&'));
    const read = (answer: unknown) => readListedPage(kind, properties, answer);
    const rank = rankOf('sweep');
    let value: Rows;
    try {
      ({ value } = await get(path, read, signal, { operation, rank: () => rank }));
    } catch (error) {
      const status = error instanceof DocklineError ? error.status : undefined;
      if (status === 204 || (status === 404 && this.#answered.has(kind))) return { rows: [], total: undefined };
      throw error;
    }
    this.#answered.add(kind);
    for (const row of value.rows) {
      const why = misfit(row);
      if (!why) continue;
      const answer = `${describeCall({ method: 'GET', path })} answered with ${words(kind)} ${row.id}, ${why}`;
      throw new DocklineError('ERR_WAREHOUSE_UNFILTERED', `${answer}: the warehouse did not apply the filter`);
    }
    return value;
  }

  async #listBy(query: ListQuery, by: ListedBy, signal: AbortSignal): Promise<ListedPage> {
    const { properties } = this.#deps;
    const { kind, page, anchor } = query;
    const after = by.byNumber ? undefined : anchor;
    const from = query.since === null ? null : new Date(query.since).toISOString().slice(0, SECONDS);
    const pageSize = Math.min(query.pageSize, kinds[kind].listing.pageLimit);
    const filters = [
      ...(by.filter === 'changed' ? [`${properties[`${kind}.changed`]}=ge=${from}`] : []),
      ...(by.filter === 'open' ? [`${properties[`${kind}.closed`]}==false`] : []),
      ...(after === undefined ? [] : [`${properties[`${kind}.id`]}=gt=${after}`]),
    ];
    const isWanted = (row: Row) => (from === null ? isOpen(row) : isSince(row, from, by));
    const misfit = (row: Row) => {
      if (by.filter === 'changed' && page === 1 && !isWanted(row)) return describeChange(row);
      return after !== undefined && Number(row.id) <= Number(after) ? `which does not follow ${after}` : undefined;
    };
    const parameters = {
      pgsiz: String(pageSize),
      pgnum: after === undefined ? String(page) : '1',
      ...(filters.length > 0 && { rql: filters.join(';') }),
      ...(by.sorted && { sort: properties[`${kind}.id`] }),
    };
    const { rows, total } = await this.#request(kind, parameters, misfit, signal);
    const wanted = rows.filter(isWanted);
    const isIgnored = by.filter === 'changed' && wanted.length < rows.length;
    const [first] = rows;
    if (by.byNumber && page > 1 && first && first.id === anchor) {
      if (total !== undefined && total > rows.length) throw repeated(kind, page);
      return { rows: [], count: 0, by, limitation: repeated(kind, page).message };
    }
    const isById = by.sorted && !by.byNumber && (page === 1 || after !== undefined) && isAscending(rows);
    const next = isById ? rows.at(-1) : first;
    return {
      rows: wanted,
      count: rows.length,
      by: isById ? by : { ...by, byNumber: true },
      anchor: next?.id,
      total,
      limitation: isIgnored ? describeIgnored(kind, properties) : undefined,
    };
  }

  /** Goes on by page number where the warehouse does not list what follows an id. */
  async #listNext(query: ListQuery, by: ListedBy, signal: AbortSignal): Promise<ListedPage> {
    try {
      return await this.#listBy(query, by, signal);
    } catch (error) {
      const { anchor, ...rest } = query;
      if (by.byNumber || anchor === undefined || !isUnapplied(error)) throw error;
      return await this.#listBy(rest, by, signal);
    }
  }

  async list(query: ListQuery, signal: AbortSignal): Promise<ListedPage> {
    if (query.by) return await this.#listNext(query, query.by, signal);
    const { accepted, failures } = await firstAccepted(requestsOf(query), (by) => this.#listBy(query, by, signal));
    const limitation = describeLimitation(query, accepted.by, { ...this.#deps, failures });
    return { ...accepted, ...(limitation && { limitation }) };
  }

  /** At most 100 ids; returns those that the warehouse still has, or the reason why it does not say. */
  async listByIds(
    kind: SweptKind,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly rows: readonly ListedRow[] } | { readonly rows: null; readonly limitation: string }> {
    const { properties } = this.#deps;
    const asked = new Set(ids.filter((one) => /^[\w-]+$/.test(one)));
    if (asked.size === 0) return { rows: [] };
    const misfit = (row: Row) => (asked.has(row.id) ? undefined : 'which was not asked for');
    const found: Row[] = [];
    try {
      // The warehouse may answer with fewer rows than there are.
      for (let left = [...asked]; left.length > 0; ) {
        const rql = `${properties[`${kind}.id`]}=in=(${left.join(',')})`;
        const { rows } = await this.#request(kind, { pgsiz: String(left.length), pgnum: '1', rql }, misfit, signal);
        if (rows.length === 0) break;
        found.push(...rows);
        const listed = new Set(found.map(({ id }) => id));
        const rest = left.filter((id) => !listed.has(id));
        left = rest.length < left.length ? rest : [];
      }
      return { rows: found };
    } catch (error) {
      if (!isUnapplied(error)) throw error;
      return { rows: null, limitation: describeUnlistedIds(kind, properties, error) };
    }
  }
}

export type Listing = Pick<Listings, 'list' | 'listByIds'>;

interface Rows extends ReturnType<typeof readListedPage> {}

/** If so, what follows the last id can be asked for. */
const isAscending = (rows: readonly Row[]): boolean =>
  rows.every(({ id }, index) => /^\d{1,15}$/.test(id) && Number(id) > Number(rows[index - 1]?.id ?? -1));

const repeated = (kind: SweptKind, page: number) =>
  new DocklineError(
    'ERR_WAREHOUSE_UNFILTERED',
    `page ${page} of ${words(collectionOf[kind])} begins as page ${page - 1} does: the warehouse does not turn pages`,
  );

const describeChange = ({ changedAt }: Row): string => `changed ${changedAt ?? 'at an unknown time'}`;

/** Length of `2026-02-11T10:42:19`, the precision of a filter. */
const SECONDS = 19;

/** Canceled ones are not closed for the warehouse. A row without a status may be open. */
const isOpen = ({ snapshot: { status } }: Row): boolean => status === undefined || status === 'open';

/** Largest difference between two zones: 14 hours east of UTC in Kiribati, 12 hours west of it on Baker Island. */
const ZONES_MS = 26 * 3_600_000;

/**
 * Reports whether a row may have changed since a time. The warehouse may have filtered by times of one zone and show
 * those of another. A row without a time does not match the filter; without the filter it may have changed if it is
 * open.
 */
function isSince(row: Row, from: string, { filter }: ListedBy): boolean {
  const { changedAt } = row;
  if (changedAt === undefined) return filter !== 'changed' && isOpen(row);
  // A day without a time may have been any time of it.
  const at = readTime(/^\d{4}-\d\d-\d\d$/.test(changedAt) ? `${changedAt}T23:59:59` : changedAt);
  return at === undefined || at >= Date.parse(`${from}Z`) - (filter === 'changed' ? ZONES_MS : 0);
}
