import { sql } from 'kysely';
import type { Logger } from '../base/logger.ts';
import { messageOf } from '../domain/errors.ts';
import { type ConditionName, factsOf } from '../domain/health/condition.ts';
import { byUrgency, type Incident, toIncident } from '../domain/health/incident.ts';
import { searches } from './conditions/table.ts';
import type { Find, Sources } from './sources.ts';

/** Errors of a program, rather than of what it asks. */
const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Urgent ones first. A condition that cannot be judged is an incident itself. */
export async function findIncidents(
  sources: Sources,
  logger: Pick<Logger, 'info' | 'error'>,
): Promise<readonly Incident[]> {
  const { reads, now, machine } = sources;
  const failure = await errorOf(sql`select 1`.execute(reads));
  if (failure !== undefined) return machine ? [toIncident('store-away', storeAway(failure), now)] : [];
  const incidents: Incident[] = [];
  for (const [name, find] of Object.entries(searches) as [ConditionName, Find][]) {
    try {
      incidents.push(...(await find(sources)).map((it) => toIncident(name, it, now)));
    } catch (err) {
      // A part that is away may have an incident of its own; a mistake of ours has none.
      const level = MISTAKES.some((kind) => err instanceof kind) ? 'error' : 'info';
      logger[level]({ err, condition: name }, 'cannot find out whether a condition for alerts holds');
      incidents.push(toIncident('unjudged', unjudged(name, err), now));
    }
  }
  return incidents.sort(byUrgency);
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error ?? 'unknown',
  );

const storeAway = (error: unknown) => ({
  title: 'The database does not answer',
  ended: 'the database answers again',
  because: messageOf(error),
});

const unjudged = (condition: ConditionName, error: unknown) => ({
  place: condition,
  title: `Nobody knows whether this holds: ${factsOf(condition).title}`,
  ended: `it can be judged again whether this holds: ${factsOf(condition).title}`,
  because: messageOf(error),
});
