import type { PlannedEvent } from '../catalogue/event.ts';
import type { Lifecycle } from './lifecycle.ts';
import { observe } from './observe.ts';

/** Reports whether an event only makes a subject known, as a listing shows it. */
export const isAdoption = ({ listed }: PlannedEvent): boolean => listed !== undefined;

/**
 * Makes an unknown subject known as a listing shows it, without a change to announce. No event is awaited for what is shown: one that
 * still arrives is announced. Returns the lifecycle of a known subject unchanged.
 */
export function adopt(before: Lifecycle, events: readonly PlannedEvent[]): Lifecycle {
  const listed = events.findLast(isAdoption)?.listed;
  if (!listed || before.revision > 0 || before.snapshot) return before;
  return { ...observe(before, [], listed).lifecycle, revision: before.revision, inferred: [] };
}
