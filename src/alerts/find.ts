import { type ConditionName, conditionNames } from '../domain/alerts/condition.ts';
import type { Found } from '../domain/alerts/finding.ts';
import type { Logger } from '../domain/logger.ts';
import type { Sources } from './conditions/search.ts';
import { searches } from './conditions/table.ts';

/** Findings of each condition; one whose search has failed is absent, since nothing is known of it. */
export type Findings = ReadonlyMap<ConditionName, readonly Found[]>;

/** Errors of a program, rather than of what it asks. */
const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Searches for every condition. */
export async function findAll(sources: Sources, logger: Pick<Logger, 'info' | 'error'>): Promise<Findings> {
  const found = new Map<ConditionName, readonly Found[]>();
  for (const condition of conditionNames) {
    try {
      const findings = await searches[condition](sources);
      found.set(
        condition,
        findings.map((it) => ({ condition, ...it })),
      );
    } catch (err) {
      // A part that is away has a condition of its own; a mistake of ours has none, and nobody else would see it.
      const level = MISTAKES.some((kind) => err instanceof kind) ? 'error' : 'info';
      logger[level]({ err, condition }, 'cannot find out whether a condition for alerts holds');
    }
  }
  return found;
}
