import { words } from '../../base/text.ts';
import type { Paths } from '../../domain/catalogue/operation.ts';
import type { Properties, PropertyName } from '../../domain/catalogue/properties.ts';
import type { SweptKind } from '../../domain/catalogue/subject.ts';
import { DocklineError } from '../../domain/errors.ts';
import { kinds } from '../../domain/kinds/kinds.ts';
import { rankOf } from '../../domain/priority.ts';
import { readTime } from '../../domain/wire-values.ts';
import type { ListedPage, ListedRow, ListQuery } from '../gets.ts';
import type { Api } from './api.ts';
import { type Row, readListedPage } from './page-answer.ts';
import { describeCall, fillPath } from './transport.ts';

interface ListingDeps extends Pick<Api, 'get'> {
  readonly paths: Paths;
  readonly properties: Properties;
}

/** Shows that the warehouse has not filtered, or sorted, by a property. */
interface Misfit {
  readonly why: string;
  readonly by: PropertyName;
}

/**
 * The warehouse silently ignores parameters that it does not know, so every row is compared with the query. Each call is
 * one GET, and fails with `ERR_WAREHOUSE_UNFILTERED` if a row does not match.
 */
export class Listings {
  readonly #deps: ListingDeps;
  /** Kinds that have answered, so that a 404 says that no rows match. */
  readonly #answered = new Set<SweptKind>();

  constructor(deps: ListingDeps) {
    this.#deps = deps;
  }

  async #request(
    kind: SweptKind,
    parameters: Readonly<Record<string, string>>,
    misfitOf: (row: Row, before: Row | undefined) => Misfit | undefined,
    signal: AbortSignal,
  ): Promise<readonly Row[]> {
    const { get, paths, properties } = this.#deps;
    const operation = kinds[kind].listing.operation;
    const path = fillPath(paths[operation], {}, String(new URLSearchParams(parameters)).split('&'));
    const read = (answer: unknown) => readListedPage(kind, properties, answer);
    const rank = rankOf('sweep');
    let rows: readonly Row[];
    try {
      ({ value: rows } = await get(path, read, signal, { operation, rank: () => rank }));
    } catch (error) {
      const status = error instanceof DocklineError ? error.status : undefined;
      if (status === 204 || (status === 404 && this.#answered.has(kind))) return [];
      throw error;
    }
    this.#answered.add(kind);
    for (const [index, row] of rows.entries()) {
      const misfit = misfitOf(row, rows[index - 1]);
      if (!misfit) continue;
      const { why, by } = misfit;
      const answer = `${describeCall({ method: 'GET', path })} answered with ${words(kind)} ${row.id}, ${why}`;
      const cause = `the warehouse does not filter or sort by ${properties[by]} (set ${by} in WAREHOUSE_PROPERTIES)`;
      throw new DocklineError('ERR_WAREHOUSE_UNFILTERED', `${answer}: ${cause}`);
    }
    return rows;
  }

  /** Goes on after an id: by number, what leaves the filter meanwhile would move others to earlier pages. */
  async list({ kind, since, after, pageSize }: ListQuery, signal: AbortSignal): Promise<ListedPage> {
    const { properties } = this.#deps;
    const from = since === null ? null : new Date(since).toISOString().slice(0, SECONDS);
    const id = properties[`${kind}.id`];
    const filter =
      from === null ? `${properties[`${kind}.closed`]}==false` : `${properties[`${kind}.changed`]}=ge=${from}`;
    const parameters = {
      pgsiz: String(Math.min(pageSize, kinds[kind].listing.pageLimit)),
      pgnum: '1',
      rql: after === '' ? filter : `${filter};${id}=gt=${after}`,
      sort: id,
    };
    const misfitOf = (row: Row, before = { id: after }): Misfit | undefined => {
      if (!follows(row.id, before.id)) return { why: `which does not follow ${before.id}`, by: `${kind}.id` };
      if (from === null || isSince(row, from)) return undefined;
      return { why: `changed ${row.changedAt ?? 'at an unknown time'}`, by: `${kind}.changed` };
    };
    const rows = await this.#request(kind, parameters, misfitOf, signal);
    return { rows: from === null ? rows.filter(isOpen) : rows, next: rows.at(-1)?.id ?? null };
  }

  /** At most 100 ids; returns those that the warehouse still has. */
  async listByIds(kind: SweptKind, ids: readonly string[], signal: AbortSignal): Promise<readonly ListedRow[]> {
    const asked = new Set(ids.filter((one) => /^[\w-]+$/.test(one)));
    if (asked.size === 0) return [];
    const by = `${kind}.id` as const;
    const rql = `${this.#deps.properties[by]}=in=(${[...asked].join(',')})`;
    const misfitOf = (row: Row) => (asked.has(row.id) ? undefined : { why: 'which was not asked for', by });
    return await this.#request(kind, { pgsiz: String(asked.size), pgnum: '1', rql }, misfitOf, signal);
  }
}

export type Listing = Pick<Listings, 'list' | 'listByIds'>;

const follows = (id: string, before: string): boolean => /^\d{1,15}$/.test(id) && Number(id) > Number(before);

/** Length of `2026-02-11T10:42:19`, the precision of a filter. */
const SECONDS = 19;

/** Canceled ones are not closed for the warehouse. A row without a status may be open. */
const isOpen = ({ snapshot: { status } }: Row): boolean => status === undefined || status === 'open';

/** Largest difference between two zones: 14 hours east of UTC in Kiribati, 12 hours west of it on Baker Island. */
const ZONES_MS = 26 * 3_600_000;

/**
 * Reports whether a row may have changed since a time: the warehouse may have filtered by times of one zone and show
 * those of another.
 */
function isSince({ changedAt }: Row, from: string): boolean {
  if (changedAt === undefined) return false;
  // A day without a time may have been any time of it.
  const at = readTime(/^\d{4}-\d\d-\d\d$/.test(changedAt) ? `${changedAt}T23:59:59` : changedAt);
  return at === undefined || at >= Date.parse(`${from}Z`) - ZONES_MS;
}
