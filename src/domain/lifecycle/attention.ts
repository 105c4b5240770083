import type { RecordFacts } from '../catalogue/record-facts.ts';
import { retrievalOf, type SubjectKind } from '../catalogue/subject.ts';
import type { Deadline } from '../deadlines/deadline.ts';
import type { Lifecycle } from './lifecycle.ts';
import { CUSTOMERS, type Refusal } from './refusal.ts';
import { isOver, needsAttention, openStagesOf, stageOf } from './stage.ts';

/**
 * Reasons why a subject needs attention; it can have several. Its stage exceeds its limit, a GET failed for good, an
 * announcement was dead-lettered, or an activity for it fails and is being retried.
 */
export const attentions = ['stalled', 'refused', 'unannounced', 'failing'] as const;

export type Attention = (typeof attentions)[number];

/** Marks that were cleared, as far as they have not ended since. That of a stall is kept with its observation. */
export interface Cleared {
  /** GETs that failed for good, one for each operation. */
  readonly refused: readonly Refusal[];
  /** Announcements were dead-lettered. */
  readonly isUnannounced: boolean;
}

export interface SavedSubject {
  readonly lifecycle: Lifecycle;
  /** Time at which it reached its stage, in milliseconds since the epoch. */
  readonly stageSince: number;
  /** GETs that failed for good, one for each operation. */
  readonly refused: readonly Refusal[];
  /** Announcements were dead-lettered, and nobody has released the subject since. */
  readonly isUnannounced: boolean;
  /** Marks that an operator has cleared; absent if there is nothing to undo. */
  readonly cleared?: Cleared | undefined;
  /** In milliseconds since the epoch; absent if nothing asks for another GET. */
  readonly lookAgainAt?: number | undefined;
  /** Its customer, as last known; absent while it is unknown. */
  readonly customerId?: string | undefined;
  readonly facts?: RecordFacts | undefined;
  /** Time by which it is to be done; absent if no rule matches. It stays once the subject is over. */
  readonly deadline?: Deadline | undefined;
  /** Of the rules by which it was computed; absent for none. */
  readonly deadlineRules?: string | undefined;
  /** In milliseconds since the epoch; absent if the clock does not change how late it is. */
  readonly lateAt?: number | undefined;
}

/**
 * Derives the reasons from the saved state; failing activities are recorded separately. Of a subject that has run its course, only its own
 * record is missed: the parts that were not returned need nobody any more. Of a deleted one nobody can fix anything.
 */
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
