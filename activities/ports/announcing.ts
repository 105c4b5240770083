/**
 * Announcement as it is signed and sent. Its bytes change once recorded only for a record that it lacked and that came later; what a
 * destination cannot take is left out as it is sent.
 */
export interface Announcement {
  /** `order:9104:31004581/3/packed`. */
  readonly id: string;
  readonly revision: number;
  /** CloudEvent as structured JSON. */
  readonly body: string;
}

/** Acknowledgment of a destination. */
export interface Receipt {
  /** HTTP status. */
  readonly status: number;
  /** Members whose records were left out, since the destination does not take as much; absent if it got all of them. */
  readonly leftOut?: readonly string[];
}

/** Final result of an announcement. */
export interface AnnouncementResult {
  readonly id: string;
  /** Status of the last answer; null if there was none. */
  readonly status: number | null;
  readonly ms: number | null;
  readonly attempts: number;
  /** Members whose records were left out, if any were. */
  readonly leftOut?: readonly string[];
  /** Reason why it was dead-lettered. */
  readonly deadLettered?: string;
}

/** Lease of an announcement. */
export interface Lease {
  readonly id: string;
  /** End of the lease, which also identifies it; null if the announcement was not leased. */
  readonly leasedUntil: number | null;
}

/** Announcement that only this process may send. */
export interface LeasedAnnouncement extends Announcement, Lease {
  /** Time of the first attempt, in milliseconds since the epoch. */
  readonly triedSince: number;
  /** Number of earlier attempts. */
  readonly attempts: number;
}

/** Record that came in a later delivery of an announcement's event, after the announcement was recorded without it. */
export interface LateRecord {
  /** Returns the id of the event whose message may have the record that an announcement lacks; undefined if it lacks none. */
  lackedBy(announcement: Announcement): string | undefined;
  /** Returns the body of an announcement with its record, as JSON text. */
  added(announcement: Announcement, record: string): string;
}

/** Announcements between their recording and their acknowledgment. */
export interface Outbox {
  /** Leases an announcement for a time; `leased` if another holds it, undefined if it is no longer to be sent. */
  lease(id: string, forMs: number): Promise<LeasedAnnouncement | 'leased' | undefined>;
  /** Replaces the body of an announcement that is still to be sent. */
  replace(id: string, body: string): Promise<void>;
  /** Ends leases, unless they expired and others hold the announcements by now. */
  release(leases: readonly Lease[]): Promise<void>;
  /** Ends the lease: the destination has acknowledged the announcement, after that many milliseconds. */
  sent(id: string, answer: Receipt & { readonly ms: number }): Promise<void>;
  /**
   * Counts a failed attempt, whose status is null if there was no answer, and ends its lease, unless that expired and another holds the
   * announcement by now.
   */
  failed(
    lease: Lease,
    failure: { readonly status: number | null; readonly ms: number; readonly error: string },
  ): Promise<void>;
  /** Dead-letters an announcement and marks its subject. */
  deadLetter(id: string, reason: string): Promise<void>;
  /** Returns the results of those that were acknowledged or dead-lettered, in their order. */
  results(ids: readonly string[]): Promise<readonly AnnouncementResult[]>;
}

/** Destination of a tenant's announcements. */
export interface Destination {
  /** Sends a signed message; a failure is a `DocklineError` with an `ERR_DESTINATION_` code. */
  send(announcement: Announcement, signal: AbortSignal): Promise<Receipt>;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
}
