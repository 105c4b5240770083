import type { RecordFacts } from '../catalogue/record-facts.ts';
import { retrievalOf, type SubjectKind } from '../catalogue/subject.ts';
import type { Deadline } from '../deadlines/deadline.ts';
import { CUSTOMERS, newestOf, type Refusal } from './gets.ts';
import type { Lifecycle, Observed } from './lifecycle.ts';
import { observeClock, undoRelease } from './observe.ts';
import { isOver, needsAttention, openStagesOf, stageOf } from './stage.ts';

/** Its stage exceeds its limit, a GET failed for good, an announcement was dead-lettered, or an activity for it is being retried. */
export const attentions = ['stalled', 'refused', 'unannounced', 'failing'] as const;

export type Attention = (typeof attentions)[number];

/** Cleared marks that have not ended since. That of a stall is kept with its observation. */
export interface Cleared {
  /** For good, one for each operation. */
  readonly refused: readonly Refusal[];
  readonly isUnannounced: boolean;
}

export interface SavedSubject {
  readonly lifecycle: Lifecycle;
  readonly stageSince: number;
  readonly refused: readonly Refusal[];
  /** Dead letters since the last release. */
  readonly isUnannounced: boolean;
  readonly cleared?: Cleared | undefined;
  /** Absent if nothing asks for another GET. */
  readonly lookAgainAt?: number | undefined;
  readonly customerId?: string | undefined;
  readonly facts?: RecordFacts | undefined;
  /** Absent if no rule matches. Stays once the subject is over. */
  readonly deadline?: Deadline | undefined;
  /** Fingerprint of the rules that computed it. */
  readonly deadlineRules?: string | undefined;
  /** Absent if the clock does not change how late it is. */
  readonly lateAt?: number | undefined;
}

/** Of a subject that is over, only its own record is missed, not parts. Of a deleted one nobody can fix anything. */
export function attentionOf(
  kind: SubjectKind,
  { lifecycle, refused, isUnannounced }: Pick<SavedSubject, 'lifecycle' | 'refused' | 'isUnannounced'>,
): Attention[] {
  const isDone = openStagesOf(kind).length > 0 && isOver(kind, lifecycle);
  const isMissed = ({ operation }: Refusal) => !isDone || operation === retrievalOf[kind] || operation === CUSTOMERS;
  return [
    ...(needsAttention(lifecycle) ? (['stalled'] as const) : []),
    ...(refused.some(isMissed) && stageOf(lifecycle) !== 'deleted' ? (['refused'] as const) : []),
    ...(isUnannounced ? (['unannounced'] as const) : []),
  ];
}

type Marks = Pick<SavedSubject, 'refused' | 'isUnannounced' | 'cleared'>;

const none: Cleared = { refused: [], isUnannounced: false };

export const clearMarks = ({ refused, isUnannounced, cleared = none }: Marks): Marks => ({
  ...none,
  cleared: {
    refused: newestOf([...cleared.refused, ...refused]),
    isUnannounced: cleared.isUnannounced || isUnannounced,
  },
});

/** Except dead letters that are sent again or acknowledged by now. */
export const restoreMarks = ({ refused, isUnannounced, cleared = none }: Marks, hasDeadLetters: boolean): Marks => ({
  refused: newestOf([...cleared.refused, ...refused]),
  isUnannounced: isUnannounced || (cleared.isUnannounced && hasDeadLetters),
  cleared: undefined,
});

export function clearedOf(
  kind: SubjectKind,
  {
    lifecycle,
    cleared,
    attention,
  }: Pick<SavedSubject, 'lifecycle' | 'cleared'> & { readonly attention: readonly Attention[] },
  hasDeadLetters: boolean,
): readonly Attention[] {
  const restored = restoreMarks({ ...none, cleared }, hasDeadLetters);
  const marks = attentionOf(kind, { lifecycle: undoRelease(lifecycle), ...restored });
  return marks.filter((mark) => !attention.includes(mark));
}

/** The GET's result has replaced them. */
export function endFetched(
  cleared: Cleared | undefined,
  calls: readonly Pick<Refusal, 'operation'>[] = [],
): Cleared | undefined {
  const isFetched = ({ operation }: Refusal) => calls.some((call) => call.operation === operation);
  return cleared && { ...cleared, refused: cleared.refused.filter((it) => !isFetched(it)) };
}

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
