import { cut } from '../../base/text.ts';
import { kindOf, type SubjectKind } from '../catalogue/subject.ts';
import { type Attention, attentionOf, type Lateness, latenessOf, type SavedSubject } from './attention.ts';
import type { Lifecycle } from './lifecycle.ts';
import { inOrder, type Milestone } from './milestone.ts';
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
  readonly progress: Omit<ReturnType<typeof progressOf>, 'byLine'> | null;
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

/** Without events of lines, an order that is picked or packed is so with all of its lines. */
export function progressOf({ registers, snapshot }: Pick<Lifecycle, 'registers' | 'snapshot'>) {
  const byLine = new Map<string, { picked: boolean; packed: boolean }>();
  for (const [register, observation] of Object.entries(registers)) {
    const [, orderItemId] = /^item(?:Pick|Pack):(.+)$/.exec(register) ?? [];
    if (!orderItemId) continue;
    const line = byLine.get(orderItemId) ?? { picked: false, packed: false };
    byLine.set(orderItemId, line);
    if (observation?.milestone === 'itemPicked') line.picked = true;
    if (observation?.milestone === 'itemPacked') line.packed = true;
  }
  const lines = [...byLine.values()];
  const { lineCount, pickDone, packDone } = snapshot ?? {};
  const isPacked = packDone || registers.pack?.milestone === 'packed';
  const isPicked = pickDone || isPacked;
  const count = (isWhole: boolean | undefined, isCounted: (line: { picked: boolean; packed: boolean }) => boolean) =>
    isWhole && lines.length === 0 ? (lineCount ?? 0) : lines.filter(isCounted).length;
  return {
    lines: lineCount ?? null,
    picked: count(isPicked, ({ picked }) => picked),
    packed: count(isPacked, ({ packed }) => packed),
    /** Lines that events were about. */
    byLine: Object.fromEntries(byLine),
  };
}
