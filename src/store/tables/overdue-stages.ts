import { type RawBuilder, sql } from 'kysely';
import type { PatrolDeps } from '../../inbox/patrol.ts';
import { type ListingDeps, subjectIn } from '../schema.ts';
import { subjectKeyColumn } from './subject-search.ts';

/** Limits in milliseconds, by stage (`picked`) or by customer and stage (`418:picked`). */
type StageLimits = Readonly<Record<string, number>>;

/**
 * Creates the list of orders that have been in their stage for longer than its limit and were not announced as stalled: a limit that was
 * set, or lowered, while they waited is not known to their workflows.
 */
export function createOverdueStages(
  { reads, now }: Pick<ListingDeps, 'reads' | 'now'>,
  limits: StageLimits,
): PatrolDeps['overdueStages'] {
  if (Object.keys(limits).length === 0) return async () => [];
  return async (ageMs, after, limit) => {
    const rows = await reads
      .selectFrom('subjects')
      .select(['stage_since as at', subjectKeyColumn.as('id'), 'tenant', 'kind', 'subject_id'])
      .where('kind', '=', 'order')
      .where(sql<boolean>`(${sql.join(conditionsOf(limits, now() - ageMs), sql` or `)})`)
      .where('stalled', '=', 0)
      // Nor are those whose mark a person has cleared.
      .where('lifecycle', 'not like', '%"milestone":"stalled"%')
      .where(sql<boolean>`(stage_since, ${subjectKeyColumn}) > (${after.at}, ${after.id})`)
      .orderBy('stage_since')
      .orderBy(subjectKeyColumn)
      .limit(limit)
      .execute();
    return rows.map(({ at, id, ...row }) => ({ at, id, subject: subjectIn(row) }));
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
