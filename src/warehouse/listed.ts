import type { SweptKind } from '../domain/catalogue/subject.ts';
import type { Snapshot } from '../domain/lifecycle/snapshot.ts';

/** Subject as a row of a listing shows it, which is less than its GET shows. */
export interface ListedRow {
  readonly id: string;
  readonly snapshot: Snapshot;
}

/**
 * Form in which the pages of one listing are requested: the filter that the warehouse applies, and whether it sorts the rows by id. Pages
 * fit together only if all are requested alike.
 */
export interface ListedBy {
  readonly filter: 'changed' | 'open' | 'all';
  readonly sorted: boolean;
  /** Pages are asked for by their number, and not as what follows an id: rows that leave the filter meanwhile move others to earlier pages. */
  readonly byNumber?: true;
}

export interface ListedPage {
  /** Rows that match the query. */
  readonly rows: readonly ListedRow[];
  /** Number of all rows on the page. */
  readonly count: number;
  /** On all pages; absent if the warehouse does not say. */
  readonly total?: number;
  readonly by: ListedBy;
  /** Id that ties the next page to this one ({@link ListQuery.anchor}); absent for an empty page. */
  readonly anchor?: string;
  /** Property that the warehouse refuses, and the consequence, for people; absent if it applies the whole query. */
  readonly limitation?: string;
}

/** Query for a page of the subjects that changed, or of those that are open. */
export interface ListQuery {
  readonly kind: SweptKind;
  /** Milliseconds since the epoch, compared with the warehouse's local time as if that were UTC; null for all that are open. */
  readonly since: number | null;
  /** From 1. */
  readonly page: number;
  /** The warehouse may allow fewer rows. */
  readonly pageSize: number;
  /** Request of the page before; absent for the first page, which tries what the warehouse accepts. */
  readonly by?: ListedBy;
  /** Id of the last row of the page before; of its first row if pages are asked for by their number. */
  readonly anchor?: string;
}

/** Rows by their ids; null with the reason if the warehouse refuses such a query. */
type ListedByIds = { readonly rows: readonly ListedRow[] } | { readonly rows: null; readonly limitation: string };

/**
 * Listings of the warehouse. Each call is one authenticated GET without retries, or a few if the warehouse refuses a filter; a failure
 * is a `DocklineError` with an `ERR_WAREHOUSE_` code, `ERR_WAREHOUSE_UNFILTERED` if a row does not match the query or a page repeats another.
 */
export interface Listing {
  list(query: ListQuery, signal: AbortSignal): Promise<ListedPage>;
  /** Lists those of the ids, 100 at most, that the warehouse still has. */
  listByIds(kind: SweptKind, ids: readonly string[], signal: AbortSignal): Promise<ListedByIds>;
}

/** Part of a query that the warehouse refuses for a kind, and the consequence, for people. */
export interface Limitation {
  readonly kind: SweptKind;
  readonly message: string;
}
