import type { PlannedEvent } from '../catalogue/event.ts';
import type { Milestone, RegisterKey } from './milestone.ts';
import type { Snapshot } from './snapshot.ts';

/** Without an event it is newer than any other of the same time. */
export interface ObservationKey {
  readonly time: number;
  readonly eventId: string | null;
}

export interface Observation extends ObservationKey {
  readonly milestone: Milestone;
  /** Seen by an operator: it still holds, but needs no attention. */
  readonly released?: true;
  /** Known here by then; absent for lines, which no snapshot contradicts. */
  readonly observedAt?: number;
}

type Cause = 'event' | 'snapshot' | 'clock';

export type Registers = { readonly [R in RegisterKey]?: Observation };

/** One revision: a milestone reached or taken back. Announced once. */
export interface Change {
  readonly revision: number;
  readonly milestone: Milestone;
  /** For an inferred change, the time by which it had happened. */
  readonly time: number;
  readonly cause: Cause;
  /** Before something that was announced already: the stage has moved on. */
  readonly late: boolean;
  /** The record fetched after the event does not show it yet. */
  readonly recordLags?: true;
  readonly event?: PlannedEvent;
  readonly customerId?: string;
  /** Events that it stands for. */
  readonly coalesced?: number;
  /** Around the change, if the event itself, or a change of levels, shows the new one. */
  readonly before?: Snapshot | null;
  readonly after?: Snapshot;
}

/** Plain JSON, as stored. */
export interface Lifecycle {
  readonly revision: number;
  readonly registers: Registers;
  /** Announced because a snapshot showed them; their events may still arrive. */
  readonly inferred: readonly Milestone[];
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

export interface Observed {
  readonly lifecycle: Lifecycle;
  readonly changes: readonly Change[];
  /** From then on a snapshot counts against what it contradicts now. */
  readonly lookAgainAt?: number;
}
