import { compareKeys, type PlannedEvent } from '../catalogue/event.ts';
import {
  announce,
  applyEvent,
  type Clock,
  createDraft,
  finish,
  isNewer,
  isReporting,
  keyOf,
  type ReportingEvent,
} from './draft.ts';
import { adoptSnapshot, inferDenied, inferShown, lookPastUpdate, markLagging } from './inference.ts';
import type { Lifecycle, Observed } from './lifecycle.ts';
import { coalesces, milestones, registerOf, standingMilestones } from './milestone.ts';
import type { Snapshot } from './snapshot.ts';
import { needsAttention } from './stage.ts';

/**
 * Processes events that were never observed before, and what a GET made after them showed. Each register keeps its newest
 * observation, so the order of arrival does not matter. Each event is announced once, unless the snapshot of an earlier call
 * showed its milestone already, or a newer event of the same batch says the same and more. Without a clock the snapshot is taken as
 * the newest state.
 */
export function observe(
  before: Lifecycle,
  events: readonly PlannedEvent[],
  snapshot: Snapshot | null,
  clock?: Clock,
): Observed {
  const ordered = events.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
  const reported = coalesce(before, ordered.filter(isReporting));
  const draft = createDraft(before, ordered, clock);
  const standing = snapshot ? standingMilestones(snapshot) : [];
  // A GET that may lag does not show what overtook an event.
  const shown = clock?.lagMs ? [] : standing;
  for (const [index, event] of reported.entries()) {
    if (snapshot) {
      const { rank } = milestones[event.milestone];
      const coming = new Set(reported.slice(index).map(({ milestone }) => milestone));
      inferShown(draft, snapshot, (earlier) => milestones[earlier].rank < rank && !coming.has(earlier));
    }
    applyEvent(draft, event, { late: event.time < before.lastEventTime, standing, shown });
  }
  if (snapshot) {
    inferShown(draft, snapshot, () => true);
    inferDenied(draft, snapshot);
    adoptSnapshot(draft, snapshot);
    markLagging(draft, snapshot);
    lookPastUpdate(draft);
  }
  return finish(draft);
}

/** Processes a milestone that has no event: a subject has stalled, or has resumed. */
export function observeClock(before: Lifecycle, milestone: 'stalled' | 'resumed', time: number): Observed {
  const draft = createDraft(before, []);
  draft.registers.attention = { milestone, time, eventId: null };
  announce(draft, { milestone, time, cause: 'clock', late: false });
  return finish(draft);
}

/** Ends the attention that a stalled subject calls for. It has not moved, so nothing is announced. */
export function release(lifecycle: Lifecycle): Lifecycle {
  const { attention } = lifecycle.registers;
  if (!attention || !needsAttention(lifecycle)) return lifecycle;
  return { ...lifecycle, registers: { ...lifecycle.registers, attention: { ...attention, released: true } } };
}

/** Leaves the newest of the events that coalesce, and that only if it is newer than the lifecycle. */
function coalesce(before: Lifecycle, events: readonly ReportingEvent[]): ReportingEvent[] {
  const single = events.filter((event) => !coalesces(event.milestone));
  const many = events.filter((event) => coalesces(event.milestone));
  const newest = many.at(-1);
  if (!newest || !isNewer(newest, before.registers[registerOf(newest.milestone)])) return single;
  return [...single, { ...newest, coalesced: many.length }];
}
