import type { DestinationFilter, DestinationRef } from '../domain/routing.ts';

/** Destination of the configuration, without what is secret. */
export interface ConfiguredDestination extends DestinationFilter {
  /** Undefined for an only warehouse, whose tenant the messages name. */
  readonly tenant: string | undefined;
  readonly name: string;
  readonly address: string;
  readonly mode?: string | undefined;
  readonly maxBytes?: number | undefined;
}

/** Settings of a destination as a person gives them. */
export type GivenDestination = Readonly<Record<string, unknown>>;

/** Result of a test announcement. */
export interface TestResult {
  readonly isDelivered: boolean;
  /** Answer, or why there was none. */
  readonly detail: string;
  readonly ms: number;
}

/** Changes of destinations while Dockline runs. */
export interface DestinationControl {
  /** Reports whether a destination was added, or is configured; undefined if there is none. */
  find(ref: DestinationRef): Promise<'added' | 'configured' | undefined>;
  /** Adds or changes a destination; returns its secret if that is new. @throws Problem 409 without keys, 400 for settings that do not fit */
  put(ref: DestinationRef, given: GivenDestination): Promise<{ readonly secret?: string }>;
  /** Gives a destination a new secret; the old ones sign for that long as well, in milliseconds. */
  rotate(ref: DestinationRef, validForMs: number): Promise<{ readonly secret: string }>;
  /** Returns the changes that a destination wants; undefined if there is none. */
  filterOf(ref: DestinationRef): Promise<DestinationFilter | undefined>;
  /** Counts what it is still to get, dead letters included. */
  countUnsent(ref: DestinationRef): Promise<number>;
  /** Removes a destination that was added, with what it was still to get. */
  remove(ref: DestinationRef): Promise<void>;
  /** Sends a test announcement. */
  test(ref: DestinationRef): Promise<TestResult>;
  pause(ref: DestinationRef, because: string): Promise<void>;
  resume(ref: DestinationRef): Promise<void>;
}
