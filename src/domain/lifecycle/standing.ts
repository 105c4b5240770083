import { cut } from '../../base/text.ts';
import { kindOf, type SubjectKind } from '../catalogue/subject.ts';
import { type Attention, attentionOf, type SavedSubject } from './attention.ts';
import { type Lateness, latenessOf } from './lateness.ts';
import type { Lifecycle } from './lifecycle.ts';
import { inOrder, type Milestone } from './milestone.ts';
import { type Progress, progressOf } from './progress.ts';
import type { Snapshot } from './snapshot.ts';
import { isOver, isStalled, type Stage, stageOf } from './stage.ts';

/** For its workflow: plain JSON of a few hundred bytes. */
export interface Standing {
  readonly revision: number;
  readonly stage: Stage;
  readonly stageSince: number;
  readonly isOver: boolean;
  readonly isStalled: boolean;
  readonly attention: readonly Attention[];
  /** Hold now, in the order in which subjects pass them. */
  readonly reached: readonly Milestone[];
  readonly lookAgainAt?: number;
  readonly dueAt?: number;
  readonly lateness?: Lateness;
  readonly lateAt?: number;
  readonly lastEventTime: number;
  readonly snapshot: Snapshot | null;
  readonly progress: Omit<Progress, 'byLine'> | null;
}

export interface SubjectView extends Pick<Standing, 'stage' | 'stageSince' | 'attention' | 'progress'> {
  readonly lifecycle: Pick<Standing, 'revision' | 'lastEventTime' | 'snapshot'>;
  /** Events not recorded, announcements not acknowledged. */
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

/** Newest of each register of its own, not of its lines. */
const reachedOf = ({ registers }: Pick<Lifecycle, 'registers'>): Milestone[] =>
  inOrder(Object.entries(registers).flatMap(([key, it]) => (it && !key.includes(':') ? [it.milestone] : [])));

/** Temporal shows shortened texts; announcements and the read model have them whole. */
const TEXT_LIMIT = 255;

function shorten(snapshot: Snapshot): Snapshot {
  const shortened = (value: unknown) => (typeof value === 'string' ? cut(value, TEXT_LIMIT) : value);
  return Object.fromEntries(Object.entries(snapshot).map(([name, value]) => [name, shortened(value)]));
}
