import type { WarehouseEvent } from '../domain/catalogue/event.ts';

/** One accepted delivery: either an event with the key of its subject, or the reason why it is quarantined. */
export interface Entry {
  /** The dedupe key. */
  readonly eventId: string;
  readonly endpoint: string;
  readonly tenant: string;
  /** What all events of one subject share, `order:9104:31004581`; absent for a quarantined delivery. */
  readonly subjectKey?: string;
  readonly event?: WarehouseEvent;
  readonly quarantineReason?: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The bytes as they came, or gzip's of them. */
  readonly body: Uint8Array;
  /** How many bytes came, where the body is gzip's. */
  readonly uncompressedBytes?: number;
}

/** A delivery that was accepted but not understood, with the bytes as they came. */
export interface QuarantinedRow extends Pick<Entry, 'endpoint' | 'receivedAt' | 'body'> {
  readonly id: number;
}

/** The durable rows; a failure to reach them is a `DocklineError` with the code `ERR_STORE_UNAVAILABLE`. */
export interface InboxRows {
  /**
   * Writes all entries or none; says for each, in order, whether it was new. An understood delivery takes the place of a
   * quarantined one with the same key.
   */
  add(entries: readonly Entry[]): Promise<readonly boolean[]>;
  /** How many rows wait to be observed; about right where other processes change them too. */
  waiting(): number;
  /** Waiting rows with an id above the given one, oldest first. */
  subjectsAfter(
    id: number,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly subjectKey: string; readonly receivedAt: number }[]>;
  /**
   * Takes a subject to wake its workflow: the names of the events that wait for it. Undefined where none does, or where its workflow
   * was woken already and has not recorded since: what it records then includes what came meanwhile.
   */
  begin(subjectKey: string): Promise<readonly string[] | undefined>;
  /** The workflow of a subject could not be woken after all. */
  abandon(subjectKey: string): Promise<void>;
  /** Subjects whose workflows were woken so long ago and have not recorded since, the oldest first; each counts as woken now. */
  overdue(ageMs: number, limit: number): Promise<readonly string[]>;
  /** Subjects whose events have waited for so long though no workflow was woken: a dispatcher died, or two missed each other. */
  stranded(ageMs: number, limit: number): Promise<readonly string[]>;
  /** Forgets who was woken, where no other process dispatches: it starts with everything that waits. */
  beginAnew(): Promise<void>;
  /** Takes waiting rows out of the queue with a reason; they are kept. */
  quarantine(eventIds: readonly string[], reason: string): Promise<void>;
  /** Takes everything that waits for a subject out of the queue with a reason. */
  quarantineAll(subjectKey: string, reason: string): Promise<void>;
  /** Quarantined rows with an id above the given one, oldest first. */
  quarantinedAfter(id: number, limit: number): Promise<readonly QuarantinedRow[]>;
  /** The bytes of the delivery that told of an event; undefined for one that never came or is not kept any more. */
  bodyOf(eventId: string): Promise<Uint8Array | undefined>;
  /** Resolves if the rows can be written now. */
  probe(): Promise<void>;
}
