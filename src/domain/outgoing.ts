export interface Outgoing {
  readonly id: string;
  /** Identity of a destination. */
  readonly destination: string;
}

/** Recorded bytes change only for a record that they lacked and that came later. */
export interface Announcement {
  readonly id: string;
  readonly revision: number;
  /** CloudEvent as structured JSON. */
  readonly body: string;
}

export interface OutgoingAnnouncement extends Announcement {
  /** Of its subject's announcement that this destination gets before; null for the first. */
  readonly previous: number | null;
  readonly isReplay: boolean;
}

export interface Receipt {
  /** HTTP status, or reply code of a broker. */
  readonly status: number;
  /** Members whose records the destination did not take. */
  readonly leftOut?: readonly string[];
  readonly exchange?: Exchange;
}

export interface FailedAttempt {
  readonly outcome: Exclude<AttemptOutcome, 'delivered'>;
  readonly status: number | null;
  readonly ms: number;
  readonly error: string;
  readonly exchange?: Exchange | undefined;
}

export interface AnnouncementResult {
  readonly id: string;
  readonly status: number | null;
  readonly ms: number | null;
  readonly attempts: number;
  readonly leftOut?: readonly string[];
  readonly deadLettered?: string;
}

export interface Lease extends Outgoing, Pick<OutgoingAnnouncement, 'previous' | 'isReplay'> {
  /** Also identifies the lease; null if it was not leased. */
  readonly leasedUntil: number | null;
}

/** Only this process may send it. */
export interface LeasedAnnouncement extends OutgoingAnnouncement, Lease {
  readonly triedSince: number;
  readonly customerId: string | null;
  readonly attempts: number;
  /** First since its destination asked to wait. */
  readonly isFirst?: boolean;
}

export type OutgoingIds = Readonly<Record<string, readonly string[]>>;

export const byDestination = (outgoing: readonly Outgoing[]): OutgoingIds =>
  Object.fromEntries(
    [...Map.groupBy(outgoing, ({ destination }) => destination)].map(([destination, of]) => [
      destination,
      of.map(({ id }) => id),
    ]),
  );

export interface Exchange {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number | null;
  /** First kilobyte; null if it had none. */
  readonly answer: Uint8Array | null;
}

/** `failed` concerns the whole destination. */
export const attemptOutcomes = ['delivered', 'failed', 'refused'] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** All; the advice without any record; or neither. */
export const details = ['full', 'advice', 'thin'] as const;

type Detail = (typeof details)[number];

export interface Extent {
  readonly detail?: Detail | undefined;
  /** Members of the advice, as dotted paths; only for `advice`. */
  readonly omit?: readonly string[] | undefined;
}
