import { DAY_MS } from '../../base/moment.ts';
import { announced, isWatched, kindOf, type SubjectKind, subjectKinds } from '../catalogue/subject.ts';
import { mainKind } from '../kinds/kinds.ts';
import type { Lifecycle } from './lifecycle.ts';
import { isLast, type Milestone, milestones, registerOf, stageRows } from './milestone.ts';

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

/** By stage (`picked`) or, with precedence, customer and stage (`418:picked`). */
export type StageLimits = { readonly [stage: string]: number };

export type GivenLimits = StageLimits | 'none';

export const usualStageLimits: StageLimits = Object.fromEntries(
  Object.entries(stageRows).flatMap(([stage, row]) => ('usualDays' in row ? [[stage, row.usualDays * DAY_MS]] : [])),
);

/** Workflows have timers for these; the usual ones cost none. */
export const ownLimits = (given: GivenLimits): StageLimits => (given === 'none' ? {} : given);

export const allLimits = (given: GivenLimits): StageLimits =>
  given === 'none' ? {} : { ...usualStageLimits, ...given };

interface Stay {
  readonly lifecycle: Pick<Lifecycle, 'registers'>;
  readonly stageSince: number;
  readonly customerId?: string | undefined;
}

export function isBeyond(
  limits: StageLimits,
  kind: SubjectKind,
  { lifecycle, stageSince, customerId }: Stay,
  now: number,
): boolean {
  if (!isWatched(kind) || isOver(kind, lifecycle) || isStalled(lifecycle)) return false;
  const stage = stageOf(lifecycle);
  const limit = limits[`${customerId}:${stage}`] ?? limits[stage];
  return limit !== undefined && now >= stageSince + limit;
}
