import { type RawBuilder, sql } from 'kysely';
import type { SharedDeps, StoreDeps } from '../schema.ts';
import { ascending, unlessWoken } from './due.ts';
import { subjectKeyColumn } from './subject-search.ts';

/** Limits in milliseconds, by stage (`picked`) or by customer and stage (`418:picked`). */
type StageLimits = Readonly<Record<string, number>>;

/** Largest number of orders that one call makes due, so that it is brief. */
const LIMIT = 1000;

/**
 * Creates the function that makes orders due to be woken that have been in their stage for longer than its limit and were not announced as
 * stalled: a limit that was set, or lowered, while they waited is not known to their workflows.
 */
export function createOverdueStages(
  { db, now, clock }: Pick<StoreDeps, 'db' | 'now'> & SharedDeps,
  limits: StageLimits,
): () => Promise<void> {
  if (Object.keys(limits).length === 0) return async () => {};
  return async () => {
    await db
      .insertInto('due')
      .columns(['subject_key', 'step', 'at', 'attempts'])
      .expression(({ selectFrom, not, exists }) =>
        selectFrom('subjects')
          .select(subjectKeyColumn.as('key'))
          .select([sql.lit('wake').as('step'), sql<number>`${clock()}`.as('at'), sql.lit(0).as('attempts')])
          .where('kind', '=', 'order')
          .where(sql<boolean>`(${sql.join(conditionsOf(limits, now()), sql` or `)})`)
          .where('stalled', '=', 0)
          // Nor are those whose mark a person has cleared.
          .where('lifecycle', 'not like', '%"milestone":"stalled"%')
          .where(({ selectFrom: from }) =>
            not(
              exists(
                from('due')
                  .select('subject_key')
                  .where('subject_key', '=', subjectKeyColumn)
                  .where('step', 'in', ['wake', 'woken']),
              ),
            ),
          )
          .orderBy(ascending(db, subjectKeyColumn))
          .limit(LIMIT),
      )
      .onConflict(unlessWoken)
      .execute();
  };
}

/** Returns one condition for each limit; a customer's own replaces the general one. */
function conditionsOf(limits: StageLimits, at: number): RawBuilder<boolean>[] {
  const entries = Object.entries(limits).map(([name, ms]) => {
    const [stage = '', customer] = name.split(':').toReversed();
    return { stage, customer, until: at - ms };
  });
  return entries.map(({ stage, customer, until }) => {
    const isOverdue = sql<boolean>`stage = ${stage} and stage_since <= ${until}`;
    if (customer !== undefined) return sql<boolean>`(${isOverdue} and customer_id = ${customer})`;
    const own = entries.flatMap((it) => (it.stage === stage && it.customer !== undefined ? [it.customer] : []));
    if (own.length === 0) return sql<boolean>`(${isOverdue})`;
    return sql<boolean>`(${isOverdue} and (customer_id is null or customer_id not in (${sql.join(own)})))`;
  });
}
