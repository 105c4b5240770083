/** Subject whose workflow is to be woken. */
export interface DueSubject {
  readonly key: string;
  /** Number of times that it was woken since it was last recorded, with this one. */
  readonly attempts: number;
}

/** Subjects that were to be looked at. */
interface DueChecks {
  /** Number of subjects that were due. */
  readonly taken: number;
  /** Keys of those that have events to record, announcements to send or a record to fetch again. The others are done with. */
  readonly open: readonly string[];
}

/**
 * Subjects with something to do, each with the time at which it is due: to be woken, or, once woken or recorded, to be looked at if nothing
 * happens. All processes share it. If it cannot be reached, calls reject with a `DocklineError` `ERR_STORE_UNAVAILABLE`.
 */
export interface Due {
  /** Takes subjects that are to be woken now, due for longest first. */
  takeWakes(limit: number): Promise<readonly DueSubject[]>;
  /** Returns the time until the next subject is to be woken, in milliseconds; undefined if there is none. */
  nextWakeInMs(): Promise<number | undefined>;
  /** Makes subjects due to be woken, after a time in milliseconds. */
  wake(keys: readonly string[], options?: { readonly inMs?: number; readonly attempts?: number }): Promise<void>;
  /** Makes a subject due to be looked at, as if it had just been recorded. */
  check(key: string): Promise<void>;
  /** Takes subjects that were woken or recorded at least this long ago, longest first, and have not been since. */
  takeChecks(ageMs: number, limit: number): Promise<DueChecks>;
  /** Makes subjects due to be woken that were woken before this process started, if no other process can have woken them. */
  reset(): Promise<void>;
  /** Corrects times that were set before the clock was set back. */
  mend(): Promise<void>;
}
