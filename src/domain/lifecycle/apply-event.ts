import { announce, type Draft, keyOf, type ReportingEvent, seenNow } from './draft.ts';
import { type Evidence, judge } from './judge.ts';
import type { Change } from './lifecycle.ts';
import { type Milestone, registerOf } from './milestone.ts';

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
