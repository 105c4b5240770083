import type { SweptKind } from '../domain/catalogue/subject.ts';
import type { Snapshot } from '../domain/lifecycle/snapshot.ts';

/** Less than a GET shows. */
export interface ListedRow {
  readonly id: string;
  readonly snapshot: Snapshot;
}

/**
 * How the pages of one listing are requested: the filter, and whether rows are sorted by id. Pages fit together only if
 * all are requested alike.
 */
export interface ListedBy {
  readonly filter: 'changed' | 'open' | 'all';
  readonly sorted: boolean;
  /** Pages by number instead of by what follows an id: rows that leave the filter meanwhile move others to earlier pages. */
  readonly byNumber?: true;
}

export interface ListedPage {
  readonly rows: readonly ListedRow[];
  /** All rows on the page. */
  readonly count: number;
  /** Of all pages; absent if the warehouse does not say. */
  readonly total?: number | undefined;
  readonly by: ListedBy;
  /** Ties the next page to this one ({@link ListQuery.anchor}); absent for an empty page. */
  readonly anchor?: string | undefined;
  /** A refusal of the warehouse and its consequence, in words for people. */
  readonly limitation?: string | undefined;
}

/** Subjects that changed, or those that are open. */
export interface ListQuery {
  readonly kind: SweptKind;
  /** Compared with the warehouse's local time as if that were UTC; null for all that are open. */
  readonly since: number | null;
  /** From 1. */
  readonly page: number;
  /** The warehouse may allow fewer rows. */
  readonly pageSize: number;
  /** Request of the page before; the first page tries what the warehouse accepts. */
  readonly by?: ListedBy | undefined;
  /** Last id of the page before; its first id if pages go by number. */
  readonly anchor?: string | undefined;
}

/** A refusal of the warehouse for a kind and its consequence, in words for people. */
export interface Limitation {
  readonly kind: SweptKind;
  readonly message: string;
}
