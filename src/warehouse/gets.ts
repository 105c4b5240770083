import type { SweptKind } from '../domain/catalogue/subject.ts';
import type { Reading } from '../domain/kinds/record.ts';
import type { Milestone } from '../domain/lifecycle/milestone.ts';
import type { Snapshot } from '../domain/lifecycle/snapshot.ts';

/** Subject as JSON text, with the facts that decide its lifecycle. */
export interface RetrievedSubject extends Reading {
  /** As the warehouse writes it: usually local time without an offset. */
  readonly changedAt?: string | undefined;
  /** Not complete yet; the warehouse reports its creation once it is. */
  readonly isDeferred?: boolean | undefined;
  readonly body: string;
}

export interface WarehouseAnswer {
  readonly status: number;
  readonly ms: number;
  readonly startedAt: number;
  /** Others that the same GET has answered. */
  readonly others?: number;
}

export interface Urgency {
  /** Rank among all that wait for a turn, lowest first. Default: that of an event. */
  readonly rank?: () => number;
  /** If its turn has not come by then, it fails with `ERR_WAREHOUSE_BUSY`. */
  readonly withinMs?: number;
  readonly onBegin?: ((startedAt: number) => void) | undefined;
  /**
   * Returns what was known of the record at a time; undefined if no listing could prove to be as new. Default: the
   * record has its own GET.
   */
  readonly known?: ((at: number) => Promise<Known | undefined>) | undefined;
}

/** A row of a listing counts only if it is newer than these. */
export interface Known {
  readonly stored: string | undefined;
  readonly newest: readonly Reported[];
}

export interface Reported {
  readonly milestone: Milestone | null;
  /** Last change according to the record in the message. */
  readonly changedAt?: string | undefined;
}

/** Less than a GET shows. */
export interface ListedRow {
  readonly id: string;
  readonly snapshot: Snapshot;
}

export interface ListedPage {
  readonly rows: readonly ListedRow[];
  /** Id after which the next page begins; null for a page without rows, which is the last. */
  readonly next: string | null;
}

/** Subjects that changed, or those that are open. */
export interface ListQuery {
  readonly kind: SweptKind;
  /** Compared with the warehouse's local time as if that were UTC; null for all that are open. */
  readonly since: number | null;
  /** Id before the page; empty for the first. */
  readonly after: string;
  /** The warehouse may allow fewer rows. */
  readonly pageSize: number;
}
