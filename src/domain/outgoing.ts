import type { AttemptOutcome, Exchange } from './exchange.ts';

export interface Outgoing {
  readonly id: string;
  /** Identity of a destination of its tenant. */
  readonly destination: string;
}

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

/** A destination's acknowledgment. */
export interface Receipt {
  /** HTTP status, or reply code of a broker. */
  readonly status: number;
  /** Members whose records were left out, since the destination does not take as much; absent if it got all of them. */
  readonly leftOut?: readonly string[];
  /** Absent if it did not go over HTTP. */
  readonly exchange?: Exchange;
}

export interface FailedAttempt {
  readonly outcome: Exclude<AttemptOutcome, 'delivered'>;
  /** HTTP status, or reply code of a broker; null if there was no answer. */
  readonly status: number | null;
  readonly ms: number;
  readonly error: string;
  /** Undefined if there was none over HTTP. */
  readonly exchange?: Exchange | undefined;
}

export interface AnnouncementResult {
  readonly id: string;
  /** Of the last answer; null if there was none. */
  readonly status: number | null;
  readonly ms: number | null;
  readonly attempts: number;
  readonly leftOut?: readonly string[];
  readonly deadLettered?: string;
}

/** Lease of an announcement for one destination. */
export interface Lease extends Outgoing, Pick<OutgoingAnnouncement, 'previous' | 'isReplay'> {
  /** End of the lease, which also identifies it; null if the announcement was not leased. */
  readonly leasedUntil: number | null;
}

/** Announcement that only this process may send. */
export interface LeasedAnnouncement extends OutgoingAnnouncement, Lease {
  /** Milliseconds since the epoch. */
  readonly triedSince: number;
  /** After the change; null while it is unknown. */
  readonly customerId: string | null;
  readonly attempts: number;
  /** It is the first one since its destination asked to wait. */
  readonly isFirst?: boolean;
}

/** Ids of announcements in their order, by the identities of their destinations. */
export type OutgoingIds = Readonly<Record<string, readonly string[]>>;

/** Groups announcements by their destinations, in their order. */
export function byDestination(outgoing: readonly Outgoing[]): OutgoingIds {
  const grouped = new Map<string, string[]>();
  for (const { id, destination } of outgoing) {
    const ids = grouped.get(destination);
    if (ids) ids.push(id);
    else grouped.set(destination, [id]);
  }
  return Object.fromEntries(grouped);
}
