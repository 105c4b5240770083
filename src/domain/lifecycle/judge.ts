import { isNewer, type ReportingEvent } from './draft.ts';
import type { Observation } from './lifecycle.ts';
import type { Milestone } from './milestone.ts';

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
