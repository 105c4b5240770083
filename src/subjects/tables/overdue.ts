import { type RawBuilder, sql } from 'kysely';
import { mainKind } from '../../domain/kinds/kinds.ts';
import type { StageLimits } from '../../domain/lifecycle/stage-limits.ts';
import { ascending, unlessWoken } from '../../inbox/tables/due.ts';
import type { SharedDeps, StoreDeps } from '../../store/schema.ts';
import { subjectKeyColumn } from './subject-search.ts';

const LIMIT = 1000;

/** Meanwhile a deadline is left to its workflow's timer. */
const TIMER_MS = 15_000;

/**
 * Wakes subjects whose workflows may not know that their clock has run out: beyond the limit of their stage, since it was set or lowered
 * meanwhile, or past a deadline that was moved or whose timer is lost.
 */
export function createOverdue(
  deps: Pick<StoreDeps, 'db' | 'now'> & SharedDeps,
  limits: StageLimits,
): () => Promise<void> {
  const { now } = deps;
  return async () => {
    await wakeThose(deps, sql<boolean>`late_at <= ${now() - TIMER_MS}`);
    if (Object.keys(limits).length === 0) return;
    const isBeyond = sql.join(conditionsOf(limits, now()), sql` or `);
    // Those whose mark a person has cleared were announced, too.
    const isKnown = sql`stalled = 1 or lifecycle like '%"milestone":"stalled"%'`;
    await wakeThose(deps, sql<boolean>`kind = ${sql.lit(mainKind)} and (${isBeyond}) and not (${isKnown})`);
  };
}

async function wakeThose({ db, clock }: Pick<SharedDeps, 'db' | 'clock'>, condition: RawBuilder<boolean>) {
  await db
    .insertInto('due')
    .columns(['subject_key', 'step', 'at', 'attempts'])
    .expression(({ selectFrom, not, exists }) =>
      selectFrom('subjects')
        .select(subjectKeyColumn.as('key'))
        .select([sql.lit('wake').as('step'), sql<number>`${clock()}`.as('at'), sql.lit(0).as('attempts')])
        .where(condition)
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
}

/** One for each limit; a customer's own replaces the general one. */
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
