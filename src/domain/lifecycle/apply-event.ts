import { announce, type Change, type Draft, isNewer, type Observation, type ReportingEvent } from './lifecycle.ts';
import {
  deniedMilestones,
  denies,
  type Milestone,
  type RegisterKey,
  registerOf,
  shownMilestones,
} from './milestone.ts';
import { type Snapshot, sameLevels } from './snapshot.ts';

export function inferShown(draft: Draft, snapshot: Snapshot, isWanted: (milestone: Milestone) => boolean): void {
  for (const milestone of shownMilestones(snapshot)) {
    const current = draft.registers[registerOf(milestone)];
    if (current?.milestone !== milestone && isWanted(milestone)) infer(draft, milestone);
  }
}

export function inferDenied(draft: Draft, snapshot: Snapshot): void {
  for (const { denied, by } of deniedMilestones(snapshot)) {
    if (draft.registers[registerOf(denied)]?.milestone === denied) infer(draft, by);
  }
}

/** No event is awaited for levels that it shows: the next one reports newer levels. */
export function adoptSnapshot(draft: Draft, snapshot: Snapshot): void {
  const known = draft.snapshot;
  draft.snapshot = snapshot;
  if (!snapshot.levels || sameLevels(snapshot.levels, known?.levels)) return;
  if (known?.levels && postpone(draft, 'level')) {
    draft.snapshot = { ...snapshot, levels: known.levels };
    return;
  }
  const inferred = { milestone: 'changed', time: draft.lastEventTime } as const;
  hold(draft, inferred);
  announce(draft, { ...inferred, cause: 'snapshot', late: false, before: known, after: snapshot });
}

export function markLagging(draft: Draft, snapshot: Snapshot): void {
  const registers = Object.entries(draft.registers) as [RegisterKey, Observation][];
  const lagging = registers.filter(([key, { milestone }]) => denies(snapshot, milestone) && postpone(draft, key));
  const eventIds = new Set(lagging.map(([, { eventId }]) => eventId));
  draft.changes = draft.changes.map((change) =>
    change.event && eventIds.has(change.event.id) ? { ...change, recordLags: true } : change,
  );
}

/** True for a register so new that this snapshot may lag behind it: that must not take back what was reported. */
export function postpone(draft: Draft, register: RegisterKey): boolean {
  const { observedAt } = draft.registers[register] ?? {};
  if (!draft.clock || observedAt === undefined) return false;
  const settledAt = observedAt + draft.clock.lagMs;
  if (draft.clock.readAt >= settledAt) return false;
  draft.lookAgainAt = Math.max(draft.lookAgainAt ?? 0, settledAt);
  return true;
}

/** A GET is at least as new as every event known then, unless the warehouse's reads lag. */
function infer(draft: Draft, milestone: Milestone): void {
  if (postpone(draft, registerOf(milestone))) return;
  const time = draft.lastEventTime;
  hold(draft, { milestone, time });
  draft.inferred.push(milestone);
  announce(draft, { milestone, time, cause: 'snapshot', late: false });
}

export interface Evidence {
  /** Though it may lag behind the event. */
  readonly shows: readonly Milestone[];
  /** They hold for certain: the GET cannot lag behind the event. */
  readonly proves: readonly Milestone[];
}

/**
 * Relation of an event to what its register holds:
 * - `awaited`: a GET showed its milestone earlier, and the register holds no other;
 * - `awaitedEarlier`: a GET showed its milestone earlier, and the register holds something newer;
 * - `newest`: it is newer than the register;
 * - `overtaken`: it is dated after what an earlier GET showed, but happened before that GET;
 * - `overtakes`: it is dated before what an earlier GET showed, but happened after that GET;
 * - `older`: it is older than the register.
 */
export type Judgment = 'awaited' | 'awaitedEarlier' | 'newest' | 'overtaken' | 'overtakes' | 'older';

export function judge(
  event: ReportingEvent,
  current: Observation | undefined,
  isAwaited: boolean,
  { shows, proves }: Evidence,
): Judgment {
  const { milestone } = event;
  const isOther = current !== undefined && current.milestone !== milestone;
  // The time of what a GET showed is that of the newest event known then, not of when it happened.
  const isFromGet = current?.eventId === null;
  if (isNewer(event, current)) {
    if (isAwaited && !isOther) return 'awaited';
    if (isAwaited && isFromGet) return 'awaitedEarlier';
    // What the earlier GET showed still holds, so this event did not end it.
    return isOther && isFromGet && proves.includes(current.milestone) ? 'overtaken' : 'newest';
  }
  if (isAwaited) return 'awaitedEarlier';
  // The event that the earlier GET took its time from may have been dated ahead. The GET made now shows this event instead.
  return isOther && isFromGet && shows.includes(milestone) ? 'overtakes' : 'older';
}

export function applyEvent(draft: Draft, event: ReportingEvent, isLate: boolean, evidence: Evidence): void {
  const current = draft.registers[registerOf(event.milestone, event.orderItemId)];
  const isAwaited = draft.inferred.includes(event.milestone);
  switch (judge(event, current, isAwaited, evidence)) {
    case 'awaited':
      stopAwaiting(draft, event.milestone);
      hold(draft, event);
      break;
    case 'awaitedEarlier':
      stopAwaiting(draft, event.milestone);
      break;
    case 'newest':
      report(draft, event, { late: isLate, before: draft.snapshot });
      hold(draft, event, event.id);
      adoptMessage(draft, event);
      break;
    case 'overtaken':
      report(draft, event, { late: true, before: draft.snapshot });
      adoptMessage(draft, event);
      break;
    case 'overtakes':
      report(draft, event, { late: false, before: null });
      hold(draft, event, event.id);
      break;
    case 'older':
      report(draft, event, { late: isLate, before: null });
      break;
  }
}

function stopAwaiting({ inferred }: Draft, milestone: Milestone): void {
  inferred.splice(inferred.indexOf(milestone), 1);
}

/** Without an id, a GET showed it. */
function hold(
  { clock, registers }: Draft,
  { milestone, time, orderItemId }: Pick<ReportingEvent, 'milestone' | 'time' | 'orderItemId'>,
  eventId: string | null = null,
): void {
  // No snapshot contradicts what events say of a line.
  const seen = clock && orderItemId === undefined ? { observedAt: clock.readAt } : {};
  registers[registerOf(milestone, orderItemId)] = { milestone, time, eventId, ...seen };
}

/** Not if the message names several customers: whoever reads the subject would have that of another. */
function adoptMessage(draft: Draft, { shown, disputed }: ReportingEvent): void {
  if (shown && !disputed) draft.snapshot = shown;
}

function report(
  draft: Draft,
  { coalesced, ...event }: ReportingEvent,
  { late, before }: Required<Pick<Change, 'late' | 'before'>>,
): void {
  const { milestone, time, shown } = event;
  announce(draft, {
    milestone,
    time,
    cause: 'event',
    late,
    event,
    ...(coalesced !== undefined && { coalesced }),
    ...(shown && { before, after: shown }),
  });
}
