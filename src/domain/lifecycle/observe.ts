import type { PlannedEvent } from '../catalogue/event.ts';
import { kindOf, type SubjectKind } from '../catalogue/subject.ts';
import { adoptSnapshot, applyEvent, inferDenied, inferShown, markLagging, postpone } from './apply-event.ts';
import { contradicts } from './customers.ts';
import {
  announce,
  type Clock,
  compareKeys,
  createDraft,
  finish,
  isNewer,
  isReporting,
  keyOf,
  type Lifecycle,
  type Observed,
  type ReportingEvent,
} from './lifecycle.ts';
import { coalesces, type Milestone, milestones, registerOf, standingMilestones } from './milestone.ts';
import type { Snapshot } from './snapshot.ts';
import { isStalled, needsAttention, stageOf } from './stage.ts';

/** Events observed together, with the snapshot of a GET made after them. */
interface Batch {
  readonly kind: SubjectKind;
  readonly events: readonly PlannedEvent[];
  readonly snapshot: Snapshot | null;
  readonly now: number;
  readonly readAt?: number | undefined;
  /** The GET may lag behind a report of this age. Default: 0. */
  readonly lagMs?: number;
}

/** An unknown subject may be adopted first; a stalled one resumes when its stage moves. */
export function observeBatch(
  known: Lifecycle,
  { kind, events, snapshot, now, readAt = now, lagMs = 0 }: Batch,
): Observed {
  const before = adopt(known, events);
  const others = events.filter((event) => !isAdoption(event));
  const observed = observe(before, others, complete(kind, before, snapshot), { readAt, lagMs });
  const hasMoved = stageOf(observed.lifecycle) !== stageOf(before);
  if (!hasMoved || !isStalled(observed.lifecycle)) return observed;
  const resumed = observeClock(observed.lifecycle, { milestone: 'resumed', time: now });
  return { ...observed, lifecycle: resumed.lifecycle, changes: [...observed.changes, ...resumed.changes] };
}

/** A snapshot of a gone subject, or of stock, names no customer; every other is whole. */
function complete(kind: SubjectKind, before: Lifecycle, snapshot: Snapshot | null): Snapshot | null {
  const adds = snapshot?.status === 'gone' || kindOf(kind).id === undefined;
  if (contradicts(snapshot?.customerId, before.snapshot?.customerId)) return snapshot;
  return snapshot && adds ? { ...before.snapshot, ...snapshot } : snapshot;
}

const isAdoption = ({ listed }: PlannedEvent): boolean => listed !== undefined;

/** Makes an unknown subject known as a listing shows it, without announcing anything: an event that still arrives is announced. */
function adopt(before: Lifecycle, events: readonly PlannedEvent[]): Lifecycle {
  const listed = events.findLast(isAdoption)?.listed;
  if (!listed || before.revision > 0 || before.snapshot) return before;
  return { ...observe(before, [], listed).lifecycle, revision: before.revision, inferred: [] };
}

/**
 * Processes new events, and what a GET made after them showed. Each register keeps its newest observation, so the order of arrival does not
 * matter. Each event is announced once, unless an earlier snapshot showed its milestone, or a newer event of the batch says the same and
 * more. Without a clock the snapshot is the newest state.
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
  const shows = snapshot ? standingMilestones(snapshot) : [];
  const evidence = { shows, proves: clock?.lagMs ? [] : shows };
  for (const [index, event] of reported.entries()) {
    if (snapshot) {
      const { rank } = milestones[event.milestone];
      const coming = new Set(reported.slice(index).map(({ milestone }) => milestone));
      inferShown(draft, snapshot, (earlier) => milestones[earlier].rank < rank && !coming.has(earlier));
    }
    applyEvent(draft, event, event.time < before.lastEventTime, evidence);
  }
  if (snapshot) {
    inferShown(draft, snapshot, () => true);
    inferDenied(draft, snapshot);
    adoptSnapshot(draft, snapshot);
    markLagging(draft, snapshot);
    // Only the record says what an update changed, and this one may be of before.
    postpone(draft, 'change');
  }
  return finish(draft);
}

export const clockMilestones = [
  'stalled',
  'resumed',
  'atRisk',
  'overdue',
  'recovered',
] as const satisfies readonly Milestone[];

type ClockMilestone = (typeof clockMilestones)[number];

export const isOfClock = (milestone: Milestone): milestone is ClockMilestone =>
  clockMilestones.some((it) => it === milestone);

interface Tick {
  readonly milestone: ClockMilestone;
  readonly time: number;
  readonly late?: boolean;
}

export function observeClock(before: Lifecycle, { milestone, time, late = false }: Tick): Observed {
  const draft = createDraft(before, []);
  draft.registers[registerOf(milestone)] = { milestone, time, eventId: null };
  announce(draft, { milestone, time, cause: 'clock', late });
  return finish(draft);
}

/** The subject has not moved, so nothing is announced. */
export function release(lifecycle: Lifecycle): Lifecycle {
  const { attention } = lifecycle.registers;
  if (!attention || !needsAttention(lifecycle)) return lifecycle;
  return { ...lifecycle, registers: { ...lifecycle.registers, attention: { ...attention, released: true } } };
}

export function undoRelease(lifecycle: Lifecycle): Lifecycle {
  const { attention } = lifecycle.registers;
  if (!attention?.released) return lifecycle;
  const { released: _, ...unreleased } = attention;
  return { ...lifecycle, registers: { ...lifecycle.registers, attention: unreleased } };
}

function coalesce(before: Lifecycle, events: readonly ReportingEvent[]): ReportingEvent[] {
  const single = events.filter((event) => !coalesces(event.milestone));
  const many = events.filter((event) => coalesces(event.milestone));
  const newest = many.at(-1);
  if (!newest || !isNewer(newest, before.registers[registerOf(newest.milestone)])) return single;
  return [...single, { ...newest, coalesced: many.length }];
}
