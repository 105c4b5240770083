import type { WarehouseEvent } from '../domain/event.ts';

/** One accepted delivery: either an event with the key of its subject, or the reason why it is parked. */
export interface Entry {
  /** The dedupe key. */
  readonly eventId: string;
  readonly endpoint: string;
  readonly tenant: string;
  /** What all events of one subject share, `order:9104:31004581`; absent for a parked delivery. */
  readonly subjectKey?: string;
  readonly event?: WarehouseEvent;
  readonly parkedReason?: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The bytes as they came. */
  readonly body: Uint8Array;
}

/** A delivery that was accepted but not understood. */
export interface ParkedRow extends Pick<Entry, 'endpoint' | 'receivedAt' | 'body'> {
  readonly id: number;
}

/** The durable rows; a failure to reach them is a `DocklineError` with the code `ERR_STORE_UNAVAILABLE`. */
export interface InboxRows {
  /**
   * Writes all entries in one transaction or none; says for each, in order, whether it was new. An understood delivery
   * takes the place of a parked one with the same key.
   */
  add(entries: readonly Entry[]): Promise<readonly boolean[]>;
  /** How many rows wait to be dispatched. */
  waiting(): number;
  /** Waiting rows with an id above the given one, oldest first. */
  subjectsAfter(id: number, limit: number): Promise<readonly { readonly id: number; readonly subjectKey: string }[]>;
  /** Waiting rows of one subject with their events as JSON, oldest first. */
  ofSubject(subjectKey: string, limit: number): Promise<readonly { readonly id: number; readonly event: string }[]>;
  markDispatched(ids: readonly number[]): Promise<void>;
  /** Takes rows out of the queue with a reason; they are kept. */
  park(ids: readonly number[], reason: string): Promise<void>;
  /** Parked rows with an id above the given one, oldest first. */
  parkedAfter(id: number, limit: number): Promise<readonly ParkedRow[]>;
  /** Resolves if the rows can be written now. */
  probe(): Promise<void>;
}
