import type { SubjectKind } from '../catalogue/subject.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type Milestone, registerOf } from './milestone.ts';

/** Where a subject stands now; no kind passes all stages. Computed from the registers, never stored beside them. */
export type Stage = (typeof stages)[number];

/** All stages, in the order in which they are passed. */
export const stages = [
  'created',
  'completed',
  'fullyAllocated',
  'picked',
  'packing',
  'packed',
  'confirmed',
  'canceled',
  'deactivated',
  'current',
  'onHold',
  'released',
  'deleted',
] as const;

const reachedBy: readonly (readonly [Milestone, Stage])[] = [
  ['deleted', 'deleted'],
  ['canceled', 'canceled'],
  ['confirmed', 'confirmed'],
  ['deactivated', 'deactivated'],
  ['changed', 'current'],
  ['placedOnHold', 'onHold'],
  ['releasedFromHold', 'released'],
  ['packed', 'packed'],
  ['packStarted', 'packing'],
  ['picked', 'picked'],
  ['fullyAllocated', 'fullyAllocated'],
  ['completed', 'completed'],
];

/** The furthest stage that a lifecycle has reached and kept; one of which anything is known is at least created. */
export function stageOf({ registers }: Pick<Lifecycle, 'registers'>): Stage {
  const furthest = reachedBy.find(([milestone]) => registers[registerOf(milestone)]?.milestone === milestone);
  return furthest?.[1] ?? 'created';
}

/** The stages in which nothing more is expected, though it may come: what is closed can be reopened, what is released held again. */
const restful: readonly Stage[] = ['confirmed', 'canceled', 'deactivated', 'current', 'onHold', 'released', 'deleted'];

/** Whether a life is over, as far as is known. An item, which has no course to run, always rests. */
export function isOver(kind: SubjectKind, lifecycle: Pick<Lifecycle, 'registers'>): boolean {
  return kind === 'item' || restful.includes(stageOf(lifecycle));
}

/** Whether a subject waits for a person: it has stalled and nothing has happened since. */
export function needsAttention({ registers }: Pick<Lifecycle, 'registers'>): boolean {
  return registers.attention?.milestone === 'stalled';
}
