/** Announcement as it is signed and sent; its bytes never change once recorded. */
export interface Announcement {
  /** `order:9104:31004581/3/packed`. */
  readonly id: string;
  readonly revision: number;
  /** CloudEvent as structured JSON. */
  readonly body: string;
}

/** Answer of a destination: the HTTP status, null if there was none, and the duration in milliseconds. */
interface DestinationAnswer {
  readonly status: number | null;
  readonly ms: number;
}

/** Final result of an announcement. */
export interface AnnouncementResult {
  readonly id: string;
  /** Status of the last answer; null if there was none. */
  readonly status: number | null;
  readonly ms: number | null;
  readonly attempts: number;
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

/** Announcements between their recording and their acknowledgment. */
export interface Outbox {
  /** Leases an announcement for a time; `leased` if another holds it, undefined if it is no longer to be sent. */
  lease(id: string, forMs: number): Promise<LeasedAnnouncement | 'leased' | undefined>;
  /** Ends leases, unless they expired and others hold the announcements by now. */
  release(leases: readonly Lease[]): Promise<void>;
  /** Ends the lease: the destination has acknowledged the announcement. */
  sent(id: string, answer: DestinationAnswer): Promise<void>;
  /** Counts a failed attempt and ends its lease, unless that expired and another holds the announcement by now. */
  failed(lease: Lease, answer: DestinationAnswer & { readonly error: string }): Promise<void>;
  /** Dead-letters an announcement and marks its subject. */
  deadLetter(id: string, reason: string): Promise<void>;
  /** Returns the results of those that were acknowledged or dead-lettered, in their order. */
  results(ids: readonly string[]): Promise<readonly AnnouncementResult[]>;
}

/** Destination of a tenant's announcements. */
export interface Destination {
  /** Sends a signed message and returns the status; a failure is a `DocklineError` with an `ERR_DESTINATION_` code. */
  send(announcement: Announcement, signal: AbortSignal): Promise<number>;
  /** Timeout of one exchange, in milliseconds. */
  readonly timeoutMs: number;
}
