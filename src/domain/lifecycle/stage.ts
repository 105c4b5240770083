import { announced } from '../catalogue/announced.ts';
import { kindOf, type SubjectKind, subjectKinds } from '../catalogue/subject.ts';
import { mainKind } from '../kinds/kinds.ts';
import type { Lifecycle } from './lifecycle.ts';
import { isLast, type Milestone, milestones, registerOf, type stageRows } from './milestone.ts';

export type Stage = keyof typeof stageRows;

const staged = (Object.keys(milestones) as Milestone[]).flatMap((milestone) => {
  const row = milestones[milestone];
  const register = registerOf(milestone);
  return 'stage' in row ? [{ milestone, register, stage: row.stage }] : [];
});

/** In the order in which they are passed. */
export const stages = staged.map(({ stage }) => stage) as [Stage, ...Stage[]];

export const courseOfOrders: readonly Milestone[] = staged
  .map(({ milestone }) => milestone)
  .filter((milestone) => milestone in announced[mainKind] && (!isLast(milestone) || milestone === 'confirmed'));

const lastStages = new Set(staged.flatMap(({ milestone, stage }) => (isLast(milestone) ? [stage] : [])));

export const isLastStage = (stage: Stage): boolean => lastStages.has(stage);

export const stagesOf = (kind: SubjectKind): readonly Stage[] =>
  staged.flatMap(({ milestone, stage }) => (milestone in announced[kind] ? [stage] : []));

/** Those of receipts, adjustments and assemblies are among them. */
export const lastOrderStages: readonly Stage[] = stagesOf(mainKind).filter(isLastStage);

export const kindsOverOnceCompleted = subjectKinds.filter((kind) => isOverIn(kind, 'completed'));

/** The furthest that is reached and kept; `created` if none is. */
export function stageOf({ registers }: Pick<Lifecycle, 'registers'>): Stage {
  return staged.findLast(({ milestone, register }) => registers[register]?.milestone === milestone)?.stage ?? 'created';
}

export const isOver = (kind: SubjectKind, lifecycle: Pick<Lifecycle, 'registers'>): boolean =>
  isOverIn(kind, stageOf(lifecycle));

export const openStagesOf = (kind: SubjectKind): readonly Stage[] =>
  stagesOf(kind).filter((stage) => !isOverIn(kind, stage));

function isOverIn(kind: SubjectKind, stage: Stage): boolean {
  return isLastStage(stage) || (kindOf(kind).lastStages?.includes(stage) ?? false);
}

export function isStalled({ registers }: Pick<Lifecycle, 'registers'>): boolean {
  return registers.attention?.milestone === 'stalled';
}

export function needsAttention(lifecycle: Pick<Lifecycle, 'registers'>): boolean {
  return isStalled(lifecycle) && lifecycle.registers.attention?.released !== true;
}
