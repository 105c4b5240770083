import type { ObservationKey, PlannedEvent } from '../catalogue/event.ts';
import type { Milestone, RegisterKey } from './milestone.ts';
import type { Snapshot } from './snapshot.ts';

/** What a register holds: the newest observation of it. */
export interface Observation extends ObservationKey {
  readonly milestone: Milestone;
}

/** What told of a change: an event, the resource as a GET showed it, or the passing of time. */
export type Cause = 'event' | 'snapshot' | 'clock';

/** The newest observations of a subject and, where it has lines, of each of them. */
export type Registers = { readonly [R in RegisterKey]?: Observation };

/** One revision of a lifecycle: a milestone that was reached or taken back, to be announced once. */
export interface Change {
  readonly revision: number;
  readonly milestone: Milestone;
  /** When it happened; for a change that no event told, when it was known by. Milliseconds since the epoch. */
  readonly time: number;
  readonly cause: Cause;
  /** It happened before something that is announced already: the stage has moved on. */
  readonly late: boolean;
  readonly event?: PlannedEvent;
  /** How many events it stands for, where they coalesced. */
  readonly coalesced?: number;
  /** What was known of the subject before, where the event itself, or a change of its levels, shows what is after. */
  readonly before?: Snapshot | null;
  readonly after?: Snapshot;
}

/** Everything observed of a subject, as the store keeps it. Plain JSON. */
export interface Lifecycle {
  readonly revision: number;
  readonly registers: Registers;
  /** Announced because a snapshot showed them; the events that tell of them may still come. */
  readonly inferred: readonly Milestone[];
  /** The time of the newest event, in milliseconds since the epoch. */
  readonly lastEventTime: number;
  readonly snapshot: Snapshot | null;
}

/** The lifecycle of a subject of which nothing is known. */
export const unknownLifecycle: Lifecycle = {
  revision: 0,
  registers: {},
  inferred: [],
  lastEventTime: 0,
  snapshot: null,
};
