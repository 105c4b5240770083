import type { Integration, Visit } from './results.ts';
import { median } from './statistics.ts';

/** A figure of every round of an integration, in the order of the rounds. */
export const figuresOf = (
  visits: readonly Visit[],
  integration: Integration,
  figureOf: (visit: Visit) => number | undefined,
): number[] => visits.filter((one) => one.integration === integration).flatMap((one) => figureOf(one) ?? []);

/** The median of what was measured of one to what was measured of another in the same round; NaN where the other has no figure. */
export const medianRatio = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN)));
