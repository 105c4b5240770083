import type { Lifecycle } from './lifecycle.ts';
import { needsAttention, stageOf } from './stage.ts';

/**
 * Why a person should look at a subject, several reasons at once: its stage outlasts its limit, the warehouse refuses a GET for
 * good, an announcement was given up, or an activity for it fails and is being retried.
 */
export const attentions = ['stalled', 'refused', 'unannounced', 'failing'] as const;

/** One of {@link attentions}. */
export type Attention = (typeof attentions)[number];

/** Everything that is stored of where a subject stands. */
export interface SavedSubject {
  readonly lifecycle: Lifecycle;
  /** When it came to its stage, in milliseconds since the epoch. */
  readonly stageSince: number;
  /** GETs that the warehouse refused for good at the last retrieval, as `operation: message`. */
  readonly refused: readonly string[];
  /** Announcements were given up, and nobody has released the subject since. */
  readonly isUnannounced: boolean;
}

/** The reasons that are known from what is stored; failing activities are noted beside it. */
export function attentionOf({ lifecycle, refused, isUnannounced }: SavedSubject): Attention[] {
  return [
    ...(needsAttention(lifecycle) ? (['stalled'] as const) : []),
    ...(refused.length > 0 && stageOf(lifecycle) !== 'deleted' ? (['refused'] as const) : []),
    ...(isUnannounced ? (['unannounced'] as const) : []),
  ];
}
