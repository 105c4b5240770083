import type { SubjectKind } from '../catalogue/subject.ts';
import type { SavedSubject } from './attention.ts';
import type { Lifecycle, Observed } from './lifecycle.ts';
import { observeClock } from './observe.ts';
import { isOver } from './stage.ts';

/** As announced; `atRisk` by a forecast or by its rule. */
export type Lateness = 'atRisk' | 'overdue';

type Dated = Pick<SavedSubject, 'lifecycle' | 'deadline'>;

/** Later is told as late: Dockline was down, or the deadline moved into the past. */
const LATE_MS = 300_000;

function latenessAt(kind: SubjectKind, { lifecycle, deadline }: Dated, now: number): Lateness | undefined {
  if (!deadline || isOver(kind, lifecycle)) return undefined;
  if (deadline.dueAt <= now) return 'overdue';
  return deadline.atRiskAt <= now ? 'atRisk' : undefined;
}

export function latenessOf({ registers }: Pick<Lifecycle, 'registers'>): Lateness | undefined {
  const milestone = registers.lateness?.milestone;
  return milestone === 'atRisk' || milestone === 'overdue' ? milestone : undefined;
}

/** At risk or overdue by now, or no longer, since it is over or has another deadline. One first seen overdue was never at risk. */
export function observeLateness(kind: SubjectKind, dated: Dated, now: number): Observed {
  const { lifecycle, deadline } = dated;
  const lateness = latenessAt(kind, dated, now);
  if (lateness === latenessOf(lifecycle)) return { lifecycle, changes: [] };
  if (!lateness || !deadline) return observeClock(lifecycle, { milestone: 'recovered', time: now });
  const time = lateness === 'overdue' ? deadline.dueAt : deadline.atRiskAt;
  return observeClock(lifecycle, { milestone: lateness, time, late: now - time > LATE_MS });
}

export function nextLatenessAt(kind: SubjectKind, dated: Dated, now: number): number | undefined {
  if (latenessAt(kind, dated, now) !== latenessOf(dated.lifecycle)) return now;
  const { deadline } = dated;
  if (!deadline || isOver(kind, dated.lifecycle)) return undefined;
  return [deadline.atRiskAt, deadline.dueAt].find((at) => at > now);
}
