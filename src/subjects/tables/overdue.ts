import { type RawBuilder, sql } from 'kysely';
import { mainKind } from '../../domain/kinds/kinds.ts';
import type { StageLimits } from '../../domain/lifecycle/stage.ts';
import { ascending, unlessWoken } from '../../inbox/tables/due.ts';
import type { SharedDeps, StoreDeps } from '../../store/schema.ts';
import { isOpen } from '../../store/subjects.ts';
import { subjectKeyColumn } from './subject-search.ts';

const LIMIT = 1000;

/** Meanwhile a deadline is left to its workflow's timer. */
const TIMER_MS = 15_000;

/** Wakes subjects whose workflows may not know that their clock has run out: a limit or deadline was set or moved, or a timer lost. */
export function createOverdue(
  deps: Pick<StoreDeps, 'db' | 'now'> & SharedDeps,
  limits: StageLimits,
): () => Promise<void> {
  const { now } = deps;
  return async () => {
    await wakeThose(deps, sql<boolean>`late_at <= ${now() - TIMER_MS}`);
    if (Object.keys(limits).length === 0) return;
    const least = Math.min(...Object.values(limits));
    const isBeyond = sql`${isOpen} and stage_since <= ${now() - least} and stage_since + ${limitOf(limits)} <= ${now()}`;
    // Those whose mark a person has cleared were announced, too.
    const isKnown = sql`stalled = 1 or lifecycle like '%"milestone":"stalled"%'`;
    await wakeThose(deps, sql<boolean>`kind = ${sql.lit(mainKind)} and ${isBeyond} and not (${isKnown})`);
  };
}

async function wakeThose({ db, clock }: Pick<SharedDeps, 'db' | 'clock'>, condition: RawBuilder<boolean>) {
  await db
    .insertInto('due')
    .columns(['subject_key', 'step', 'at', 'attempts'])
    .expression(({ selectFrom }) =>
      selectFrom('subjects')
        .select(subjectKeyColumn.as('key'))
        .select([sql.lit('wake').as('step'), sql<number>`${clock()}`.as('at'), sql.lit(0).as('attempts')])
        .where(condition)
        .where(
          sql<boolean>`not exists (select 1 from ${sql.table('due')}
            where subject_key = ${subjectKeyColumn} and step in ('wake', 'woken'))`,
        )
        .orderBy(ascending(db, subjectKeyColumn))
        .limit(LIMIT),
    )
    .onConflict(unlessWoken)
    .execute();
}

/** A customer's own replaces the general one. */
function limitOf(limits: StageLimits): RawBuilder<number | null> {
  const own = Object.entries(limits).toSorted(([a], [b]) => Number(b.includes(':')) - Number(a.includes(':')));
  const cases = own.map(([name, ms]) => sql`when ${name} in (stage, customer_id || ':' || stage) then ${sql.lit(ms)}`);
  return sql`case ${sql.join(cases, sql` `)} end`;
}
