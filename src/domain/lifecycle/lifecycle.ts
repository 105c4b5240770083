import type { PlannedEvent } from '../catalogue/event.ts';
import type { Milestone, RegisterKey } from './milestone.ts';
import type { Snapshot } from './snapshot.ts';

/** Time and event of an observation; without an event it is newer than any other of the same time. */
export interface ObservationKey {
  readonly time: number;
  readonly eventId: string | null;
}

/** Newest observation of a register. */
export interface Observation extends ObservationKey {
  readonly milestone: Milestone;
  /** An operator has seen it: it still holds, but calls for nobody's attention. */
  readonly released?: true;
  /** Time by which it was known here, in milliseconds since the epoch; absent for those of lines, which no snapshot contradicts. */
  readonly observedAt?: number;
}

/** Source of a change: an event, the resource as a GET showed it, or the clock. */
type Cause = 'event' | 'snapshot' | 'clock';

/** Newest observations of a subject and of each of its lines. */
export type Registers = { readonly [R in RegisterKey]?: Observation };

/** One revision of a lifecycle: a milestone that was reached or taken back. Announced once. */
export interface Change {
  readonly revision: number;
  readonly milestone: Milestone;
  /** Time of the event; for an inferred change, the time by which it had happened. Milliseconds since the epoch. */
  readonly time: number;
  readonly cause: Cause;
  /** It happened before something that was announced already, so the stage has moved on. */
  readonly late: boolean;
  /** The record that was fetched after the event does not show it yet. */
  readonly recordLags?: true;
  readonly event?: PlannedEvent;
  /** Customer of the subject after it; absent while that is unknown. */
  readonly customerId?: string;
  /** Number of events that it stands for, if they coalesced. */
  readonly coalesced?: number;
  /** Snapshots around the change, if the event itself, or a change of levels, shows the new one. */
  readonly before?: Snapshot | null;
  readonly after?: Snapshot;
}

/** Everything observed of a subject, as the store keeps it: plain JSON. */
export interface Lifecycle {
  readonly revision: number;
  readonly registers: Registers;
  /** Milestones announced because a snapshot showed them; their events may still arrive. */
  readonly inferred: readonly Milestone[];
  /** Time of the newest event, in milliseconds since the epoch. */
  readonly lastEventTime: number;
  readonly snapshot: Snapshot | null;
}

export const unknownLifecycle: Lifecycle = {
  revision: 0,
  registers: {},
  inferred: [],
  lastEventTime: 0,
  snapshot: null,
};

/** Outcome of an observation: the lifecycle after it, and the changes to announce, in order. */
export interface Observed {
  readonly lifecycle: Lifecycle;
  readonly changes: readonly Change[];
  /** Time from which a snapshot counts against what it contradicts now, in milliseconds since the epoch. */
  readonly lookAgainAt?: number;
}
