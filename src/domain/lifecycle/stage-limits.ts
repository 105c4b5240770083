import { DAY_MS } from '../../base/moment.ts';
import { isWatched } from '../catalogue/announced.ts';
import type { SubjectKind } from '../catalogue/subject.ts';
import type { SavedSubject } from './attention.ts';
import { stageRows } from './milestone.ts';
import { isOver, isStalled, stageOf } from './stage.ts';

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

export function isBeyond(
  limits: StageLimits,
  kind: SubjectKind,
  { lifecycle, stageSince, customerId }: Pick<SavedSubject, 'lifecycle' | 'stageSince' | 'customerId'>,
  now: number,
): boolean {
  if (!isWatched(kind) || isOver(kind, lifecycle) || isStalled(lifecycle)) return false;
  const stage = stageOf(lifecycle);
  const limit = limits[`${customerId}:${stage}`] ?? limits[stage];
  return limit !== undefined && now >= stageSince + limit;
}
