import { cut } from '../../base/text.ts';
import { kindOf, type SubjectKind } from '../catalogue/subject.ts';
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
  /** Milestones that hold now, in the order in which subjects pass them. */
  readonly reached: readonly Milestone[];
  /** Milliseconds since the epoch; absent if nothing asks for it. */
  readonly lookAgainAt?: number;
  /** Milliseconds since the epoch; absent if it never is. */
  readonly dueAt?: number;
  readonly lateness?: Lateness;
  /** Milliseconds since the epoch; absent if it need not become late. */
  readonly lateAt?: number;
  /** Milliseconds since the epoch; 0 if there was none. */
  readonly lastEventTime: number;
  readonly snapshot: Snapshot | null;
  /** Null for other kinds than orders. */
  readonly progress: Omit<Progress, 'byLine'> | null;
}

/** What a workflow shows of its subject. */
export interface SubjectView extends Pick<Standing, 'stage' | 'stageSince' | 'attention' | 'progress'> {
  readonly lifecycle: Pick<Standing, 'revision' | 'lastEventTime' | 'snapshot'>;
  /** Number of events not yet recorded, and of announcements not yet acknowledged. */
  readonly waiting: { readonly events: number; readonly announcements: number };
}

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
    progress: kindOf(kind).hasLines ? progress : null,
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
