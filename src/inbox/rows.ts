import type { WarehouseEvent } from '../domain/catalogue/event.ts';
import type { QuarantineText } from '../domain/quarantine.ts';

/** Accepted delivery: an event with the key of its subject, or the reason why it is quarantined. */
export interface Entry {
  /** Dedupe key. */
  readonly eventId: string;
  readonly endpoint: string;
  readonly tenant: string;
  /** Key that all events of a subject share, such as `order:9104:31004581`; absent for a quarantined delivery. */
  readonly subjectKey?: string;
  readonly event?: WarehouseEvent;
  readonly quarantineReason?: QuarantineText;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Body as it was received, or gzipped. */
  readonly body: Uint8Array;
  /** Size of the body before gzip; absent if it is stored as received. */
  readonly uncompressedBytes?: number;
  /** Entries of the rows of its message, each with an event or a reason; the entry itself then has neither and only keeps the body. */
  readonly rows?: readonly Entry[];
}

/** Quarantined delivery with its body as it was received. */
export interface QuarantinedRow extends Pick<Entry, 'eventId' | 'endpoint' | 'receivedAt' | 'body'> {
  readonly id: number;
  readonly reason: string;
}

/** Oldest events that wait for a subject, up to a limit. */
export interface WaitingEvents {
  readonly names: readonly string[];
  readonly traces: readonly string[];
  /** Time at which the first was received, in milliseconds since the epoch; undefined if none waits. */
  readonly receivedAt: number | undefined;
}

/** Durable rows of the inbox. If they cannot be reached, calls reject with a `DocklineError` `ERR_STORE_UNAVAILABLE`. */
export interface InboxRows {
  /**
   * Writes all entries with their rows or none, and reports for each, in order, whether it or a row of it was new. An understood
   * delivery replaces a quarantined one with the same key. One of an event that is known and still waits completes it, where it says more.
   */
  add(entries: readonly Entry[]): Promise<readonly boolean[]>;
  /** Returns the number of rows that wait to be observed; approximate if other processes change them too. */
  waiting(): number;
  /** Returns the oldest events that wait for a subject. */
  waitingOf(subjectKey: string): Promise<WaitingEvents>;
  /** Quarantines waiting rows. */
  quarantine(eventIds: readonly string[], reason: QuarantineText): Promise<void>;
  /** Quarantines all waiting rows of a subject. */
  quarantineAll(subjectKey: string, reason: QuarantineText): Promise<void>;
  /** Returns quarantined rows with a higher id, oldest first. */
  quarantinedAfter(id: number, limit: number): Promise<readonly QuarantinedRow[]>;
  /** Gives those of the given rows that are still quarantined another reason. */
  changeReason(ids: readonly number[], reason: QuarantineText): Promise<void>;
  /** Deletes those of the given rows that are still quarantined: their events were ingested under other keys. */
  discard(ids: readonly number[]): Promise<void>;
  /** Returns an event with the body of its delivery as it was received, if that has the record which the event is about. */
  carrierOf(
    eventId: string,
  ): Promise<{ readonly event: Partial<WarehouseEvent>; readonly body: Uint8Array } | undefined>;
  /** Resolves if rows can be written now. */
  probe(): Promise<void>;
}
