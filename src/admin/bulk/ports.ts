import type { Actor } from '../../domain/audit.ts';
import type { BulkFilter, BulkName } from './filters.ts';

/**
 * States of a bulk action: its items are being chosen, it waits for somebody's confirmation, nobody confirmed it in time, it runs, all its
 * items were tried, or somebody canceled it.
 */
export const bulkStates = ['preparing', 'previewed', 'expired', 'running', 'done', 'canceled'] as const;

/** One of {@link bulkStates}. */
export type BulkState = (typeof bulkStates)[number];

/** Action on everything that a filter named at a time. Times are in milliseconds since the epoch. */
export interface BulkAction {
  readonly id: number;
  readonly action: BulkName;
  readonly filter: BulkFilter;
  readonly state: BulkState;
  /** Time at which its items were chosen: nothing that came later is among them. */
  readonly createdAt: number;
  readonly createdBy: string;
  /** Time from which its preview can no longer be confirmed. */
  readonly expiresAt: number;
  readonly total: number;
  /** Its first items: keys of subjects, ids of announcements, or numbers of deliveries. */
  readonly sample: readonly string[];
  readonly done: number;
  readonly failed: number;
  /** Reason why it does not go on now; it does by itself. */
  readonly trouble: string | null;
  readonly confirmedAt: number | null;
  readonly finishedAt: number | null;
}

/** Item of a bulk action that failed. */
export interface BulkFailure {
  readonly target: string;
  readonly error: string;
}

/** Failures that are shown of one bulk action. */
export const SHOWN_FAILURES = 100;

/** Bulk actions with their items, for people. */
export interface BulkActions {
  /** Creates an empty one, which is not to be confirmed before it is `ready`. */
  create(bulk: {
    readonly action: BulkName;
    readonly filter: BulkFilter;
    readonly by: string;
    readonly expiresAt: number;
  }): Promise<number>;
  /** Adds items after those that it has; `position` is that of the first. */
  add(id: number, position: number, targets: readonly string[]): Promise<void>;
  ready(id: number, items: Pick<BulkAction, 'total' | 'sample'>): Promise<void>;
  find(id: number): Promise<BulkAction | undefined>;
  /** Returns them, the newest first, before an id. */
  list(page: { readonly before?: number; readonly limit: number }): Promise<readonly BulkAction[]>;
  /** Returns the first items that failed; of many, only so many are kept. */
  failures(id: number, limit: number): Promise<readonly BulkFailure[]>;
  /** Starts it durably, with an entry in the audit log. Returns false if it does not wait for that: it starts once. */
  confirm(id: number, actor: Actor): Promise<boolean>;
  /** Ends it, once the items in progress are done. Returns false if it is over. */
  cancel(id: number, actor: Actor): Promise<boolean>;
}

/** Bulk action that a process runs until its lease ends. */
export interface LeasedBulk {
  readonly id: number;
  readonly action: BulkName;
  readonly createdAt: number;
  readonly holder: string;
  /** Position up to which its items are done. */
  readonly position: number;
}

/** Item of a running bulk action. */
interface BulkItem {
  readonly position: number;
  readonly target: string;
  /** Reason why it is not to be tried any more: it was erased meanwhile. */
  readonly error: string | null;
}

/** Result of an item: null, or the reason why it failed. */
interface BulkResult {
  readonly position: number;
  readonly error: string | null;
}

/** Bulk actions for those that run them. */
export interface BulkQueue {
  /** Leases the running one that nobody holds and that waits for longest, or goes on with one's own; undefined if there is none. */
  lease(holder: string, forMs: number): Promise<LeasedBulk | undefined>;
  /** Returns the next items. */
  next(bulk: LeasedBulk, limit: number): Promise<readonly BulkItem[]>;
  /** Writes results and the position durably, and renews the lease. Writes nothing if somebody else has it. */
  record(bulk: LeasedBulk, results: readonly BulkResult[], forMs: number): Promise<void>;
  /** Notes why it does not go on. */
  note(bulk: LeasedBulk, trouble: string): Promise<void>;
  /** Ends it: no item is left. */
  finish(bulk: LeasedBulk): Promise<void>;
  /** Ends the leases of a holder. */
  release(holder: string): Promise<void>;
}
