import type { Reading } from '../domain/kinds/record.ts';
import type { Milestone } from '../domain/lifecycle/milestone.ts';

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
