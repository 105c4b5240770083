import type { PlannedEvent } from '../catalogue/event.ts';
import type { Change, Lifecycle, Observation, ObservationKey, Observed } from './lifecycle.ts';
import type { Milestone, RegisterKey } from './milestone.ts';
import type { Snapshot } from './snapshot.ts';

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

/** For a register that a snapshot may contradict. */
export const seenNow = ({ clock }: Draft): Pick<Observation, 'observedAt'> =>
  clock ? { observedAt: clock.readAt } : {};
