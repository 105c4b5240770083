import type { WarehouseEvent } from '../src/domain/catalogue/event.ts';
import type { SubjectKind } from '../src/domain/catalogue/subject.ts';
import type { Lifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';

/** The kinds that the warehouse lists by when they changed. */
export type SweptKind = Exclude<SubjectKind, 'item' | 'stock' | 'hold'>;

/** A subject as a row of a listing shows it, which is less than a GET of it shows. */
export interface ListedRow {
  readonly id: string;
  readonly snapshot: Snapshot;
}

/** One page of a listing. */
export interface ListedPage {
  readonly rows: readonly ListedRow[];
  /** How many rows there are on all pages; absent where the warehouse does not say. */
  readonly total?: number;
  /** How many rows a page has. */
  readonly pageSize: number;
}

/** Which page of what changed is asked for. */
export interface ChangedQuery {
  readonly kind: SweptKind;
  /** Milliseconds since the epoch, compared with the warehouse's local time as if that were UTC. */
  readonly since: number;
  /** From 1. */
  readonly page: number;
  /** How many rows at most; no more than the warehouse allows in any case. */
  readonly pageSize: number;
}

/**
 * The warehouse's listings. Each call is one authenticated GET without retries; a failure is a `DocklineError` with an
 * `ERR_WAREHOUSE_` code, `ERR_WAREHOUSE_UNFILTERED` where a row is none of those that were asked for.
 */
export interface Listing {
  listChanged(query: ChangedQuery, signal: AbortSignal): Promise<ListedPage>;
  /** Those of the given ids, 100 at most, that the warehouse still has. */
  listByIds(kind: SweptKind, ids: readonly string[], signal: AbortSignal): Promise<readonly ListedRow[]>;
}

/** A subject and where it stands. */
export interface KnownSubject {
  readonly id: string;
  readonly lifecycle: Lifecycle;
}

/** What is known of many subjects at once. */
export interface KnownSubjects {
  /** Those of the ids of which anything is known. */
  findAll(tenant: string, kind: SweptKind, ids: readonly string[]): Promise<readonly KnownSubject[]>;
  /** Subjects that are neither closed, canceled nor deleted, and were not recorded lately, by id. */
  findOpen(query: {
    readonly tenant: string;
    readonly kind: SweptKind;
    /** The id after which they begin; empty for the first. */
    readonly after: string;
    /** How long they must have been as they are, in milliseconds. */
    readonly quietMs: number;
    readonly limit: number;
  }): Promise<readonly KnownSubject[]>;
}

/** A subject that is not as the warehouse lists it, and why. */
export interface Difference {
  readonly event: WarehouseEvent;
  /** What was compared. */
  readonly evidence: object;
}

/** What the sweep needs. */
export interface SweepDeps {
  readonly listingOf: (tenant: string) => Listing;
  readonly known: KnownSubjects;
  /** Takes differences in as if they had been delivered; says for each, in order, whether it is new. */
  readonly feed: (differences: readonly Difference[]) => Promise<readonly boolean[]>;
}
