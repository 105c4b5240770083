import { cut } from '../../base/text.ts';
import type { SubjectKind } from '../catalogue/subject.ts';
import { type Attention, attentionOf, type SavedSubject } from './attention.ts';
import { type Lateness, latenessOf } from './lateness.ts';
import type { Lifecycle } from './lifecycle.ts';
import { inOrder, type Milestone } from './milestone.ts';
import { type Progress, progressOf } from './progress.ts';
import type { Snapshot } from './snapshot.ts';
import { isOver, isStalled, type Stage, stageOf } from './stage.ts';

/** Current state of a subject, as its workflow shows it and acts on it: plain JSON of a few hundred bytes. */
export interface Standing {
  readonly revision: number;
  readonly stage: Stage;
  /** Milliseconds since the epoch. */
  readonly stageSince: number;
  /** Nothing more is expected, though it may come. */
  readonly isOver: boolean;
  readonly isStalled: boolean;
  readonly attention: readonly Attention[];
  /** Milestones that hold now, in the order in which subjects pass them; absent from what an earlier version recorded. */
  readonly reached?: readonly Milestone[];
  /** Time at which the workflow fetches it again, in milliseconds since the epoch; absent if nothing asks for that. */
  readonly lookAgainAt?: number;
  /** Time at which it is due, in milliseconds since the epoch; absent if it never is. */
  readonly dueAt?: number;
  readonly lateness?: Lateness;
  /** Time at which the workflow records that it is late, in milliseconds since the epoch; absent if it need not. */
  readonly lateAt?: number;
  /** Time of the newest event, in milliseconds since the epoch; 0 if there was none. */
  readonly lastEventTime: number;
  readonly snapshot: Snapshot | null;
  /** Progress of an order's lines; null for other kinds. */
  readonly progress: Omit<Progress, 'byLine'> | null;
}

/** Derives the current state of a subject from its saved state. */
export function standingOf(kind: SubjectKind, saved: SavedSubject): Standing {
  const { lifecycle, stageSince, lookAgainAt, deadline, lateAt } = saved;
  const lateness = latenessOf(lifecycle);
  const { byLine: _byLine, ...progress } = progressOf(lifecycle);
  return {
    revision: lifecycle.revision,
    stage: stageOf(lifecycle),
    stageSince,
    isOver: isOver(kind, lifecycle),
    isStalled: isStalled(lifecycle),
    attention: attentionOf(kind, saved),
    reached: reachedOf(lifecycle),
    ...(lookAgainAt !== undefined && { lookAgainAt }),
    ...(deadline && { dueAt: deadline.dueAt }),
    ...(lateness && { lateness }),
    ...(lateAt !== undefined && { lateAt }),
    lastEventTime: lifecycle.lastEventTime,
    snapshot: lifecycle.snapshot && shorten(lifecycle.snapshot),
    progress: kind === 'order' ? progress : null,
  };
}

/** Returns the newest milestone of each of the subject's own registers, not of those of its lines. */
const reachedOf = ({ registers }: Pick<Lifecycle, 'registers'>): Milestone[] =>
  inOrder(Object.entries(registers).flatMap(([key, it]) => (it && !key.includes(':') ? [it.milestone] : [])));

/** Limit of texts that Temporal shows; announcements and the read model have them whole. */
const TEXT_LIMIT = 255;

function shorten(snapshot: Snapshot): Snapshot {
  const shortened = (value: unknown) => (typeof value === 'string' ? cut(value, TEXT_LIMIT) : value);
  return Object.fromEntries(Object.entries(snapshot).map(([name, value]) => [name, shortened(value)]));
}
