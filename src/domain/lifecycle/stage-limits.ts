import { isWatched } from '../catalogue/announced.ts';
import type { SubjectKind } from '../catalogue/subject.ts';
import type { SavedSubject } from './attention.ts';
import { stageRows } from './milestone.ts';
import { isOver, isStalled, stageOf } from './stage.ts';

/** Longest times in a stage, in milliseconds, by stage (`picked`) or by customer and stage (`418:picked`), which takes precedence. */
export type StageLimits = { readonly [stage: string]: number };

/** Limits that a person has set for some stages; `none` for no limit at all. */
export type GivenLimits = StageLimits | 'none';

const DAY_MS = 86_400_000;

/** Limits of stages that nobody has set. */
export const usualStageLimits: StageLimits = Object.fromEntries(
  Object.entries(stageRows).flatMap(([stage, row]) => ('usualDays' in row ? [[stage, row.usualDays * DAY_MS]] : [])),
);

/** Returns the limits that were set, for which workflows have timers; the usual ones cost none. */
export const ownLimits = (given: GivenLimits): StageLimits => (given === 'none' ? {} : given);

/** Returns all limits: the usual ones where none was set. */
export const allLimits = (given: GivenLimits): StageLimits =>
  given === 'none' ? {} : { ...usualStageLimits, ...given };

/** Reports whether an order has been in its stage for longer than the limit at a time, and was not announced as stalled. */
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
