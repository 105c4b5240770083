import type { PlannedEvent } from '../catalogue/event.ts';
import type { Change, Lifecycle, Observation, ObservationKey, Observed } from './lifecycle.ts';
import { type Milestone, type RegisterKey, registerOf } from './milestone.ts';
import type { Snapshot } from './snapshot.ts';

/** Time of an observation, and the age up to which the warehouse's reads may lag behind what it reported. In milliseconds. */
export interface Clock {
  /** Time at which the GET began, or of the observation if there was none. */
  readonly readAt: number;
  readonly lagMs: number;
}

/** Lifecycle under observation. */
export interface Draft {
  revision: number;
  registers: { [R in RegisterKey]?: Observation };
  inferred: Milestone[];
  /** Time of the newest event, those of the batch included; a GET made for the batch is at least as new. */
  readonly lastEventTime: number;
  snapshot: Snapshot | null;
  changes: Change[];
  lookAgainAt?: number;
  readonly clock: Clock | undefined;
}

/** Event that reports a milestone. */
export interface ReportingEvent extends PlannedEvent {
  readonly milestone: Milestone;
  /** Number of events that it stands for. */
  readonly coalesced?: number;
}

/** Reports whether an event reports a milestone. */
export const isReporting = (event: PlannedEvent): event is ReportingEvent => event.milestone !== null;

/** Begins an observation. */
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

/** Ends an observation. */
export function finish({ changes, lookAgainAt, clock: _clock, ...lifecycle }: Draft): Observed {
  return { lifecycle, changes, ...(lookAgainAt !== undefined && { lookAgainAt }) };
}

/** Returns the place of an event among the observations of its register. */
export const keyOf = (event: PlannedEvent): ObservationKey => ({ time: event.time, eventId: event.id });

/** Orders observations by time, then by event id; ids of one tenant order as numbers. */
export function compareKeys(a: ObservationKey, b: ObservationKey): number {
  if (a.time !== b.time) return a.time - b.time;
  if (a.eventId === b.eventId) return 0;
  if (a.eventId === null || b.eventId === null) return a.eventId === null ? 1 : -1;
  if (a.eventId.length !== b.eventId.length) return a.eventId.length - b.eventId.length;
  return a.eventId < b.eventId ? -1 : 1;
}

/** Reports whether an event is newer than the current observation. */
export const isNewer = (event: PlannedEvent, current: Observation | undefined): boolean =>
  !current || compareKeys(keyOf(event), current) > 0;

/** Adds a change with the next revision. */
export function announce(draft: Draft, change: Omit<Change, 'revision'>): void {
  draft.revision += 1;
  draft.changes.push({ revision: draft.revision, ...change });
}

/** Returns the time of an observation, for a register that a snapshot may contradict. */
export const seenNow = ({ clock }: Draft): Pick<Observation, 'observedAt'> =>
  clock ? { observedAt: clock.readAt } : {};

/** Facts about an event beyond its message: whether it is late by its time, and what the GET made after it shows. */
interface Circumstances {
  readonly late: boolean;
  /** Milestones that the GET shows, though it may lag behind the event. */
  readonly standing: readonly Milestone[];
  /** Those of them that cannot lag behind it. */
  readonly shown: readonly Milestone[];
}

/** Applies an event. */
export function applyEvent(
  draft: Draft,
  { coalesced, ...event }: ReportingEvent,
  { late, standing, shown }: Circumstances,
): void {
  const { milestone, time, shown: after } = event;
  const register = registerOf(milestone, event.orderItemId);
  const current = draft.registers[register];
  const newer = isNewer(event, current);
  const turns = newer && current !== undefined && current.milestone !== milestone;
  const wasShown = current?.eventId === null;
  const awaited = draft.inferred.indexOf(milestone);

  if (awaited >= 0 && (!turns || wasShown)) {
    draft.inferred.splice(awaited, 1);
    if (newer && !turns) draft.registers[register] = { milestone, time, eventId: null, ...seenNow(draft) };
    return;
  }
  // An earlier GET showed the current state, which still holds: the event that would turn it happened before that GET.
  const overtaken = turns && wasShown && shown.includes(current.milestone);
  // The time of what a GET showed is that of the newest event, which may have been dated ahead; this GET is newer, and shows the event.
  const overtakes = !newer && wasShown && current.milestone !== milestone && standing.includes(milestone);
  announce(draft, {
    milestone,
    time,
    cause: 'event',
    late: (late && !overtakes) || overtaken,
    event,
    ...(coalesced !== undefined && { coalesced }),
    ...(after && { before: newer ? draft.snapshot : null, after }),
  });
  if (overtakes || (newer && !overtaken)) {
    const seen = event.orderItemId === undefined ? seenNow(draft) : {};
    draft.registers[register] = { milestone, ...keyOf(event), ...seen };
  }
  if (newer && after) draft.snapshot = after;
}
