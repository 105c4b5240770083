import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import type { SubjectKind } from '../../src/domain/catalogue/subject.ts';
import type { Lifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';

/** Kinds that the warehouse lists by the time of their last change. */
export type SweptKind = Exclude<SubjectKind, 'item' | 'stock' | 'hold'>;

/** Subject as a row of a listing shows it, which is less than its GET shows. */
export interface ListedRow {
  readonly id: string;
  readonly snapshot: Snapshot;
}

/** Page of a listing. */
export interface ListedPage {
  readonly rows: readonly ListedRow[];
  /** Number of rows on all pages; absent if the warehouse does not say. */
  readonly total?: number;
  /** Number of rows of a full page. */
  readonly pageSize: number;
}

/** Query for a page of the subjects that changed. */
export interface ChangedQuery {
  readonly kind: SweptKind;
  /** Milliseconds since the epoch, compared with the warehouse's local time as if that were UTC. */
  readonly since: number;
  /** Number of the page, from 1. */
  readonly page: number;
  /** Maximum number of rows; the warehouse may allow fewer. */
  readonly pageSize: number;
}

/**
 * Listings of the warehouse. Each call is one authenticated GET without retries; a failure is a `DocklineError` with an
 * `ERR_WAREHOUSE_` code, `ERR_WAREHOUSE_UNFILTERED` if a row does not match the query.
 */
export interface Listing {
  listChanged(query: ChangedQuery, signal: AbortSignal): Promise<ListedPage>;
  /** Lists those of the ids, 100 at most, that the warehouse still has. */
  listByIds(kind: SweptKind, ids: readonly string[], signal: AbortSignal): Promise<readonly ListedRow[]>;
}

/** Known subject with its lifecycle. */
export interface KnownSubject {
  readonly id: string;
  readonly lifecycle: Lifecycle;
}

/** Lookup of many known subjects at once. */
export interface KnownSubjects {
  /** Returns the known ones of these ids. */
  findAll(tenant: string, kind: SweptKind, ids: readonly string[]): Promise<readonly KnownSubject[]>;
  /** Returns subjects that are not over and were not recorded lately, by id. */
  findOpen(query: {
    readonly tenant: string;
    readonly kind: SweptKind;
    /** Id after which they begin; empty for the first. */
    readonly after: string;
    /** Minimum time since the last recording, in milliseconds. */
    readonly quietMs: number;
    readonly limit: number;
  }): Promise<readonly KnownSubject[]>;
}

/** Subject that differs from the warehouse's listing, and the evidence. */
export interface Difference {
  readonly event: WarehouseEvent;
  /** Both sides of the comparison. */
  readonly evidence: object;
}

/** Dependencies of the sweep. */
export interface SweepDeps {
  readonly listingOf: (tenant: string) => Listing;
  readonly known: KnownSubjects;
  /** Adds differences to the inbox as if they had been delivered; returns for each, in order, whether it is new. */
  readonly feed: (differences: readonly Difference[]) => Promise<readonly boolean[]>;
}
