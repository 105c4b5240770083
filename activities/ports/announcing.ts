import type { AttemptOutcome, Exchange } from '../../src/domain/exchange.ts';
import type { Outgoing } from '../../src/domain/outgoing.ts';
import type { Permitted } from '../../src/domain/permission.ts';
import type { DestinationFilter } from '../../src/domain/routing.ts';

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

/** Announcement as one destination gets it. */
export interface OutgoingAnnouncement extends Announcement {
  /** Revision of the announcement of its subject that this destination gets before it; null for the first. */
  readonly previous: number | null;
  /** Somebody had it sent again. */
  readonly isReplay: boolean;
}

/** Acknowledgment of a destination. */
export interface Receipt {
  /** HTTP status, or reply code of a broker. */
  readonly status: number;
  /** Members whose records were left out, since the destination does not take as much; absent if it got all of them. */
  readonly leftOut?: readonly string[];
  /** Absent if it did not go over HTTP. */
  readonly exchange?: Exchange;
}

/** Attempt that was not acknowledged. */
interface FailedAttempt {
  readonly outcome: Exclude<AttemptOutcome, 'delivered'>;
  /** HTTP status, or reply code of a broker; null if there was no answer. */
  readonly status: number | null;
  readonly ms: number;
  readonly error: string;
  /** Undefined if there was none over HTTP. */
  readonly exchange?: Exchange | undefined;
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

/** Lease of an announcement for one destination. */
export interface Lease extends Outgoing, Pick<OutgoingAnnouncement, 'previous' | 'isReplay'> {
  /** End of the lease, which also identifies it; null if the announcement was not leased. */
  readonly leasedUntil: number | null;
}

/** Announcement that only this process may send. */
export interface LeasedAnnouncement extends OutgoingAnnouncement, Lease {
  /** Time of the first attempt, in milliseconds since the epoch. */
  readonly triedSince: number;
  /** Customer of its subject after the change; null while that is unknown. */
  readonly customerId: string | null;
  /** Number of earlier attempts. */
  readonly attempts: number;
}

/** Records that are put into announcements after these were recorded, or taken out of them. */
export interface LateRecord {
  /** Returns the id of the event whose message may have the record that an announcement lacks; undefined if it lacks none. */
  lackedBy(announcement: Announcement): string | undefined;
  /** Returns the body of an announcement with its record, as JSON text. */
  added(announcement: Announcement, record: string): string;
  /** Returns the record that an announcement is about, as JSON text; undefined if it has none. */
  recordOf(announcement: Pick<Announcement, 'body'>): string | undefined;
  /** Returns the body of an announcement without the record that it is about. */
  removed(announcement: Pick<Announcement, 'body'>): string;
}

/** Announcements between their recording and the acknowledgment of each destination. */
export interface Outbox {
  /** Leases an announcement for a time; `leased` if another has the lease, `held` while its destination is paused, undefined if it is no longer to be sent. */
  lease(outgoing: Outgoing, forMs: number): Promise<LeasedAnnouncement | 'leased' | 'held' | undefined>;
  /** Replaces the body of an announcement that a destination is still to get. */
  replace(id: string, body: string): Promise<void>;
  /** Ends leases, unless they expired and others hold the announcements by now. */
  release(leases: readonly Lease[]): Promise<void>;
  /** Ends the lease: the destination has acknowledged the announcement, after that many milliseconds. The last attempts are kept. */
  sent(outgoing: Outgoing, answer: Receipt & { readonly ms: number }): Promise<void>;
  /**
   * Counts a failed attempt, and ends its lease, unless that expired and another holds the announcement by now. The last attempts are
   * kept.
   */
  failed(lease: Lease, failure: FailedAttempt): Promise<void>;
  /** Takes out an announcement that its destination may not have. */
  withdraw(outgoing: Outgoing): Promise<void>;
  /** Dead-letters an announcement and marks its subject. */
  deadLetter(outgoing: Outgoing, reason: string): Promise<void>;
  /** Returns the results of those that were acknowledged or dead-lettered, in their order. */
  results(destination: string, ids: readonly string[]): Promise<readonly AnnouncementResult[]>;
}

/** One destination of a tenant's announcements. */
export interface Destination {
  /** Sends a signed message; a failure is a `DocklineError` with an `ERR_DESTINATION_` code. */
  send(announcement: Permitted<OutgoingAnnouncement>, signal: AbortSignal): Promise<Receipt>;
}

/** Destination with the changes that it wants. */
export interface Receiver extends Destination {
  readonly name: string;
  readonly filter: DestinationFilter;
}
