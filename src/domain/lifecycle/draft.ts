import { compareKeys, type ObservationKey, type PlannedEvent } from '../catalogue/event.ts';
import type { Change, Lifecycle, Observation, Observed } from './lifecycle.ts';
import { deniedMilestones, type Milestone, type RegisterKey, registerOf, shownMilestones } from './milestone.ts';
import { type Snapshot, sameLevels } from './snapshot.ts';

/** Lifecycle under observation. */
export interface Draft {
  revision: number;
  registers: { [R in RegisterKey]?: Observation };
  inferred: Milestone[];
  /** Time of the newest event, those of the batch included; a GET made for the batch is at least as new. */
  readonly lastEventTime: number;
  snapshot: Snapshot | null;
  changes: Change[];
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
export function createDraft(before: Lifecycle, events: readonly PlannedEvent[]): Draft {
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
  };
}

/** Ends an observation. */
export function finish({ changes, ...lifecycle }: Draft): Observed {
  return { lifecycle, changes };
}

/** Returns the place of an event among the observations of its register. */
export const keyOf = (event: PlannedEvent): ObservationKey => ({ time: event.time, eventId: event.id });

/** Reports whether an event is newer than the current observation. */
export const isNewer = (event: PlannedEvent, current: Observation | undefined): boolean =>
  !current || compareKeys(keyOf(event), current) > 0;

/** Adds a change with the next revision. */
export function announce(draft: Draft, change: Omit<Change, 'revision'>): void {
  draft.revision += 1;
  draft.changes.push({ revision: draft.revision, ...change });
}

/** Applies an event. `shown` are the milestones that the GET made after it shows. */
export function applyEvent(
  draft: Draft,
  { coalesced, ...event }: ReportingEvent,
  { late, shown }: { readonly late: boolean; readonly shown: readonly Milestone[] },
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
    if (newer && !turns) draft.registers[register] = { milestone, time, eventId: null };
    return;
  }
  // An earlier GET showed the current state, which still holds: the event that would turn it happened before that GET.
  const overtaken = turns && wasShown && shown.includes(current.milestone);
  announce(draft, {
    milestone,
    time,
    cause: 'event',
    late: late || overtaken,
    event,
    ...(coalesced !== undefined && { coalesced }),
    ...(after && { before: newer ? draft.snapshot : null, after }),
  });
  if (newer && !overtaken) draft.registers[register] = { milestone, ...keyOf(event) };
  if (newer && after) draft.snapshot = after;
}

/** Infers the milestones that a snapshot shows, as far as they are wanted. */
export function inferShown(draft: Draft, snapshot: Snapshot, isWanted: (milestone: Milestone) => boolean): void {
  for (const milestone of shownMilestones(snapshot)) {
    const current = draft.registers[registerOf(milestone)];
    if (current?.milestone !== milestone && isWanted(milestone)) infer(draft, milestone);
  }
}

/** Infers the milestones that take back what a snapshot denies. */
export function inferDenied(draft: Draft, snapshot: Snapshot): void {
  for (const { denied, by } of deniedMilestones(snapshot)) {
    if (draft.registers[registerOf(denied)]?.milestone === denied) infer(draft, by);
  }
}

/** Infers a change of levels. No event of its own is awaited for it: the next one reports newer levels. */
export function inferLevels(draft: Draft, snapshot: Snapshot): void {
  if (!snapshot.levels || sameLevels(snapshot.levels, draft.snapshot?.levels)) return;
  const inferred = { milestone: 'changed', time: draft.lastEventTime } as const;
  draft.registers.level = { ...inferred, eventId: null };
  announce(draft, { ...inferred, cause: 'snapshot', late: false, before: draft.snapshot, after: snapshot });
}

/** A GET is at least as new as every event known when it was made, so what it shows outranks them all. */
function infer(draft: Draft, milestone: Milestone): void {
  const time = draft.lastEventTime;
  draft.registers[registerOf(milestone)] = { milestone, time, eventId: null };
  draft.inferred.push(milestone);
  announce(draft, { milestone, time, cause: 'snapshot', late: false });
}
