import type { SubjectKind } from '../catalogue/subject.ts';
import type { SavedSubject } from './attention.ts';
import type { Lifecycle, Observed } from './lifecycle.ts';
import { observeClock } from './observe.ts';
import { isOver } from './stage.ts';

/** State of a subject that is not done in time, or may not be. */
export type Lateness = 'atRisk' | 'overdue';

/** Subject with the time by which it is to be done. */
type Dated = Pick<SavedSubject, 'lifecycle' | 'deadline'>;

/** Time after which what the clock tells is told late, in milliseconds: Dockline was down, or the deadline moved into the past. */
const LATE_MS = 300_000;

/** Returns how late a subject is at a time; undefined if it is over or in time, or has no deadline. */
function latenessAt(kind: SubjectKind, { lifecycle, deadline }: Dated, now: number): Lateness | undefined {
  if (!deadline || isOver(kind, lifecycle)) return undefined;
  if (now >= deadline.dueAt) return 'overdue';
  return now >= deadline.atRiskAt ? 'atRisk' : undefined;
}

/** Returns how late a subject was last announced to be; undefined if it never was, or has recovered since. */
export function latenessOf({ registers }: Pick<Lifecycle, 'registers'>): Lateness | undefined {
  const milestone = registers.lateness?.milestone;
  return milestone === 'atRisk' || milestone === 'overdue' ? milestone : undefined;
}

/**
 * Observes the time: whether a subject is at risk or overdue by now, or is so no longer, since it is over or has another deadline. One that is
 * overdue when that is first seen was never at risk.
 */
export function observeLateness(kind: SubjectKind, dated: Dated, now: number): Observed {
  const { lifecycle, deadline } = dated;
  const lateness = latenessAt(kind, dated, now);
  if (lateness === latenessOf(lifecycle)) return { lifecycle, changes: [] };
  if (!lateness || !deadline) return observeClock(lifecycle, { milestone: 'recovered', time: now });
  const time = lateness === 'overdue' ? deadline.dueAt : deadline.atRiskAt;
  return observeClock(lifecycle, { milestone: lateness, time, late: now - time > LATE_MS });
}

/** Returns when {@link observeLateness} finds something next: at once if it would now; undefined if it never will. */
export function nextLatenessAt(kind: SubjectKind, dated: Dated, now: number): number | undefined {
  if (latenessAt(kind, dated, now) !== latenessOf(dated.lifecycle)) return now;
  const { deadline } = dated;
  if (!deadline || isOver(kind, dated.lifecycle)) return undefined;
  return [deadline.atRiskAt, deadline.dueAt].find((at) => at > now);
}
