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
  /** The bytes as they came, or gzip's of them. */
  readonly body: Uint8Array;
  /** How many bytes came, where the body is gzip's. */
  readonly uncompressedBytes?: number;
}

/** A delivery that was accepted but not understood, with the bytes as they came. */
export interface ParkedRow extends Pick<Entry, 'endpoint' | 'receivedAt' | 'body'> {
  readonly id: number;
}

/** What waits for one subject, while nobody else serves it. */
export interface ClaimedRows {
  /** Rows with their events as JSON, oldest first. */
  waiting(limit: number): Promise<readonly { readonly id: number; readonly event: string }[]>;
  markDispatched(ids: readonly number[]): Promise<void>;
  /** Takes rows out of the queue with a reason; they are kept. */
  park(ids: readonly number[], reason: string): Promise<void>;
}

/** The durable rows; a failure to reach them is a `DocklineError` with the code `ERR_STORE_UNAVAILABLE`. */
export interface InboxRows {
  /**
   * Writes all entries or none; says for each, in order, whether it was new. An understood delivery takes the place of a
   * parked one with the same key.
   */
  add(entries: readonly Entry[]): Promise<readonly boolean[]>;
  /** How many rows wait to be dispatched; about right where other processes change them too. */
  waiting(): number;
  /** Waiting rows with an id above the given one, oldest first. */
  subjectsAfter(
    id: number,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly subjectKey: string; readonly receivedAt: number }[]>;
  /**
   * Has a subject served: no other process serves it until `serve` is settled, and the claim ends with the process. Undefined if
   * another process serves it now; rejects as `serve` does, with nothing kept that it marked where other processes are.
   */
  claim<T>(subjectKey: string, serve: (rows: ClaimedRows) => Promise<T>): Promise<{ readonly served: T } | undefined>;
  /** How many claims may be under way at once. */
  readonly claimsAtOnce: number;
  /**
   * Lets rows wait again that were dispatched within a time, in milliseconds since the epoch, the oldest first; returns how many.
   * Workflows ignore the events that they have seen.
   */
  dispatchAgain(dispatched: { readonly since: number; readonly before: number }, limit: number): Promise<number>;
  /** Parked rows with an id above the given one, oldest first. */
  parkedAfter(id: number, limit: number): Promise<readonly ParkedRow[]>;
  /** The bytes of the delivery that told of an event; undefined for one that never came or is not kept any more. */
  bodyOf(eventId: string): Promise<Uint8Array | undefined>;
  /** Resolves if the rows can be written now. */
  probe(): Promise<void>;
}
