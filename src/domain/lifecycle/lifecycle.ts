import type { PlannedEvent } from '../catalogue/event.ts';
import type { Milestone, RegisterKey } from './milestone.ts';
import type { Snapshot } from './snapshot.ts';

/** Without an event it is newer than any other of the same time. */
interface ObservationKey {
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

export interface Clock {
  /** Of the observation if there was no GET. */
  readonly readAt: number;
  readonly lagMs: number;
}

export interface Draft {
  revision: number;
  registers: { [R in RegisterKey]?: Observation };
  inferred: Milestone[];
  /** Of the batch included; a GET made for the batch is at least as new. */
  readonly lastEventTime: number;
  snapshot: Snapshot | null;
  changes: Change[];
  lookAgainAt?: number;
  readonly clock: Clock | undefined;
}

export interface ReportingEvent extends PlannedEvent {
  readonly milestone: Milestone;
  readonly coalesced?: number;
}

export const isReporting = (event: PlannedEvent): event is ReportingEvent => event.milestone !== null;

export function createDraft(before: Lifecycle, events: readonly PlannedEvent[], clock?: Clock): Draft {
  const reporting = events.filter(isReporting);
  // Other events carry the time of our clock, which counts only if there is no other.
  const timed = reporting.length > 0 || before.lastEventTime > 0 ? reporting : events;
  return {
    revision: before.revision,
    registers: { ...before.registers },
    inferred: [...before.inferred],
    lastEventTime: timed.reduce((latest, { time }) => Math.max(latest, time), before.lastEventTime),
    snapshot: before.snapshot,
    changes: [],
    clock,
  };
}

export function finish({ changes, lookAgainAt, clock: _clock, ...lifecycle }: Draft): Observed {
  return { lifecycle, changes, ...(lookAgainAt !== undefined && { lookAgainAt }) };
}

export const keyOf = (event: PlannedEvent): ObservationKey => ({ time: event.time, eventId: event.id });

/** By time, then by event id; ids of one tenant order as numbers. */
export function compareKeys(a: ObservationKey, b: ObservationKey): number {
  if (a.time !== b.time) return a.time - b.time;
  if (a.eventId === b.eventId) return 0;
  if (a.eventId === null || b.eventId === null) return a.eventId === null ? 1 : -1;
  if (a.eventId.length !== b.eventId.length) return a.eventId.length - b.eventId.length;
  return a.eventId < b.eventId ? -1 : 1;
}

export const isNewer = (event: PlannedEvent, current: Observation | undefined): boolean =>
  !current || compareKeys(keyOf(event), current) > 0;

export function announce(draft: Draft, change: Omit<Change, 'revision'>): void {
  draft.revision += 1;
  draft.changes.push({ revision: draft.revision, ...change });
}
