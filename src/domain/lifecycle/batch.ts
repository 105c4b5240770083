import type { PlannedEvent } from '../catalogue/event.ts';
import type { SubjectKind } from '../catalogue/subject.ts';
import type { Lifecycle, Observed } from './lifecycle.ts';
import { observe, observeClock } from './observe.ts';
import type { Snapshot } from './snapshot.ts';
import { isStalled, stageOf } from './stage.ts';

/** Events of one subject that are observed together, with the snapshot of a GET made after them. */
interface Batch {
  readonly kind: SubjectKind;
  readonly events: readonly PlannedEvent[];
  readonly snapshot: Snapshot | null;
  /** Time of the observation, in milliseconds since the epoch. */
  readonly now: number;
  /** Time at which the GET began; absent for the time of the observation. */
  readonly readAt?: number | undefined;
  /** Age of a report up to which a GET may lag behind it, in milliseconds. Default: 0. */
  readonly lagMs?: number;
}

/** Observes a batch. An unknown subject may be adopted first; a stalled one resumes when its stage moves. */
export function observeBatch(
  known: Lifecycle,
  { kind, events, snapshot, now, readAt = now, lagMs = 0 }: Batch,
): Observed {
  const before = adopt(known, events);
  const others = events.filter((event) => !isAdoption(event));
  const observed = observe(before, others, complete(kind, before, snapshot), { readAt, lagMs });
  const hasMoved = stageOf(observed.lifecycle) !== stageOf(before);
  if (!hasMoved || !isStalled(observed.lifecycle)) return observed;
  const resumed = observeClock(observed.lifecycle, 'resumed', now);
  return { ...observed, lifecycle: resumed.lifecycle, changes: [...observed.changes, ...resumed.changes] };
}

/** Completes the snapshot of a subject that is gone, or of stock, which names no customer; every other snapshot is whole. */
function complete(kind: SubjectKind, before: Lifecycle, snapshot: Snapshot | null): Snapshot | null {
  const adds = snapshot?.status === 'gone' || kind === 'stock';
  return snapshot && adds ? { ...before.snapshot, ...snapshot } : snapshot;
}

/** Reports whether an event only makes a subject known, as a listing shows it. */
const isAdoption = ({ listed }: PlannedEvent): boolean => listed !== undefined;

/**
 * Makes an unknown subject known as a listing shows it, without a change to announce. No event is awaited for what is shown: one that
 * still arrives is announced. Returns the lifecycle of a known subject unchanged.
 */
function adopt(before: Lifecycle, events: readonly PlannedEvent[]): Lifecycle {
  const listed = events.findLast(isAdoption)?.listed;
  if (!listed || before.revision > 0 || before.snapshot) return before;
  return { ...observe(before, [], listed).lifecycle, revision: before.revision, inferred: [] };
}
