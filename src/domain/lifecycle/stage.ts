import type { SubjectKind } from '../catalogue/subject.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type Milestone, milestones, registerOf } from './milestone.ts';

/** Current stage of a subject. Computed from its registers, never stored beside them. */
export type Stage = Extract<(typeof milestones)[Milestone], { readonly stage: string }>['stage'];

const staged = (Object.keys(milestones) as Milestone[]).flatMap((milestone) => {
  const row = milestones[milestone];
  const register = registerOf(milestone);
  return 'stage' in row ? [{ milestone, register, stage: row.stage, isLast: 'isLast' in row }] : [];
});

/** All stages, in the order in which they are passed. */
export const stages = staged.map(({ stage }) => stage) as [Stage, ...Stage[]];

const lastStages = new Set(staged.flatMap(({ stage, isLast }) => (isLast ? [stage] : [])));

/** Reports whether nothing more is expected after a stage. */
export const isLastStage = (stage: Stage): boolean => lastStages.has(stage);

/** Returns the furthest stage that a lifecycle has reached and kept; `created` if it has reached none. */
export function stageOf({ registers }: Pick<Lifecycle, 'registers'>): Stage {
  return staged.findLast(({ milestone, register }) => registers[register]?.milestone === milestone)?.stage ?? 'created';
}

/**
 * Reports whether nothing more is expected of a subject. An item, which has no course to run, is always over; an adjustment or assembly
 * is once it is completed.
 */
export function isOver(kind: SubjectKind, lifecycle: Pick<Lifecycle, 'registers'>): boolean {
  const stage = stageOf(lifecycle);
  const isCompleted = stage === 'completed' && (kind === 'adjustment' || kind === 'assembly');
  return kind === 'item' || isCompleted || isLastStage(stage);
}

/** Reports whether a subject was announced as stalled, and not as resumed since. */
export function isStalled({ registers }: Pick<Lifecycle, 'registers'>): boolean {
  return registers.attention?.milestone === 'stalled';
}

/** Reports whether a subject has stalled, and no operator has released it since. */
export function needsAttention(lifecycle: Pick<Lifecycle, 'registers'>): boolean {
  return isStalled(lifecycle) && lifecycle.registers.attention?.released !== true;
}
