import { announce, type Draft, isNewer, keyOf, type ReportingEvent, seenNow } from './draft.ts';
import type { Change, Observation } from './lifecycle.ts';
import { type Milestone, registerOf } from './milestone.ts';

/** By the GET made after an event. */
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

/** An event is awaited if a GET showed its milestone, which was announced. */
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

/** Announces the event unless its milestone was announced before. */
export function applyEvent(draft: Draft, event: ReportingEvent, isLate: boolean, evidence: Evidence): void {
  const current = draft.registers[registerOf(event.milestone, event.orderItemId)];
  const isAwaited = draft.inferred.includes(event.milestone);
  switch (judge(event, current, isAwaited, evidence)) {
    // Was announced when a GET showed it; gives its time to what the register holds.
    case 'awaited':
      stopAwaiting(draft, event.milestone);
      holdAwaited(draft, event);
      break;
    // Was announced when a GET showed it; the register has something newer.
    case 'awaitedEarlier':
      stopAwaiting(draft, event.milestone);
      break;
    // Announced, and the register holds it.
    case 'newest':
      report(draft, event, { late: isLate, before: draft.snapshot });
      hold(draft, event);
      adoptMessage(draft, event);
      break;
    // Announced as late, and the register keeps what the earlier GET showed.
    case 'overtaken':
      report(draft, event, { late: true, before: draft.snapshot });
      adoptMessage(draft, event);
      break;
    // Announced as not late, whatever its time, and the register holds it.
    case 'overtakes':
      report(draft, event, { late: false, before: null });
      hold(draft, event);
      break;
    // Announced, and the register keeps what it holds.
    case 'older':
      report(draft, event, { late: isLate, before: null });
      break;
  }
}

function stopAwaiting({ inferred }: Draft, milestone: Milestone): void {
  inferred.splice(inferred.indexOf(milestone), 1);
}

/** It was a GET that showed it. */
function holdAwaited(draft: Draft, { milestone, time, orderItemId }: ReportingEvent): void {
  draft.registers[registerOf(milestone, orderItemId)] = { milestone, time, eventId: null, ...seenNow(draft) };
}

function hold(draft: Draft, event: ReportingEvent): void {
  const { milestone, orderItemId } = event;
  const seen = orderItemId === undefined ? seenNow(draft) : {};
  draft.registers[registerOf(milestone, orderItemId)] = { milestone, ...keyOf(event), ...seen };
}

/** Not if the message names several customers: whoever reads the subject would have that of another. */
function adoptMessage(draft: Draft, { shown, disputed }: ReportingEvent): void {
  if (shown && !disputed) draft.snapshot = shown;
}

/** With the snapshots around it, if its message has the new one. */
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
