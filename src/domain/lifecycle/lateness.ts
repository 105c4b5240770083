import type { SubjectKind } from '../catalogue/subject.ts';
import { type Outlook, outlookOf } from '../deadlines/deadline.ts';
import type { SavedSubject } from './attention.ts';
import type { Lifecycle, Observed } from './lifecycle.ts';
import { observeClock } from './observe.ts';
import { isOver } from './stage.ts';

/** How late a subject is announced to be: whether a forecast or its rule puts it at risk is told with it. */
export type Lateness = Extract<Outlook, 'atRisk' | 'overdue'>;

const latenesses = { overdue: 'overdue', willMiss: 'atRisk', atRisk: 'atRisk', onTime: undefined } as const;

type Dated = Pick<SavedSubject, 'lifecycle' | 'deadline'>;

/** Time after which what the clock tells is told late, in milliseconds: Dockline was down, or the deadline moved into the past. */
const LATE_MS = 300_000;

/** Undefined if it is over or in time, or has no deadline. */
function latenessAt(kind: SubjectKind, { lifecycle, deadline }: Dated, now: number): Lateness | undefined {
  if (!deadline || isOver(kind, lifecycle)) return undefined;
  return latenesses[outlookOf({ ...deadline, isForecast: deadline.forecast !== undefined }, now)];
}

/** As last announced; undefined if it never was, or has recovered since. */
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

/** When {@link observeLateness} finds something next: at once if it would now; undefined if it never will. */
export function nextLatenessAt(kind: SubjectKind, dated: Dated, now: number): number | undefined {
  if (latenessAt(kind, dated, now) !== latenessOf(dated.lifecycle)) return now;
  const { deadline } = dated;
  if (!deadline || isOver(kind, dated.lifecycle)) return undefined;
  return [deadline.atRiskAt, deadline.dueAt].find((at) => at > now);
}
