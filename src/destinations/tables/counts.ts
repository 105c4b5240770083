import { type Kysely, sql } from 'kysely';
import { type AttemptOutcome, attemptOutcomes } from '../../domain/outgoing.ts';
import type { IdentityRef } from '../../domain/routing.ts';
import { type BoundedCount, COUNTED, toBounded } from '../../store/bounded-count.ts';
import { textRows } from '../../store/engines/dialect.ts';
import { isOfPaused } from '../../store/outbox-conditions.ts';
import type { Database } from '../../store/schema.ts';

export type Outgoing = { readonly [State in 'unsent' | 'replays' | 'onHold' | 'deadLetters']: BoundedCount };

/** `since`: when the oldest was recorded, its replay asked for, or it became a dead letter. */
export async function countOutgoing(db: Kysely<Database>): Promise<Outgoing> {
  const { rows } = await sql<{ state: keyof Outgoing; count: number; since: number }>`
    select state, count(*) as count, min(since) as since from (
      select * from (
        select coalesce(replayed_at, created_at) as since,
          case when ${isOfPaused} then 'onHold' when replayed_at is not null then 'replays' else 'unsent' end as state
        from ${sql.table('outbox')} where sent_at is null and dead_lettered_at is null
        order by created_at limit ${COUNTED + 1}) as waiting
      union all select * from (
        select dead_lettered_at as since, 'deadLetters' as state
        from ${sql.table('outbox')} where sent_at is null and dead_lettered_at is not null
        order by dead_lettered_at limit ${COUNTED + 1}) as dead
    ) as counted group by state`.execute(db);
  const of = (state: keyof Outgoing) => toBounded(rows.find((it) => it.state === state));
  const [unsent, replays, onHold] = [of('unsent'), of('replays'), of('onHold')];
  // Those that are not sent yet are counted up to the limit together.
  const isMore = unsent.count + replays.count + onHold.count > COUNTED;
  const more = (count: BoundedCount) => ({ ...count, isMore: count.isMore || (isMore && count.count > 0) });
  return { unsent: more(unsent), replays: more(replays), onHold: more(onHold), deadLetters: of('deadLetters') };
}

export type AttemptCounts = Readonly<Record<AttemptOutcome, number>> & { readonly at: number };

/** Counts attempts of destinations in each of the times of a length that begin at some, in milliseconds; of each destination up to the limit. */
export async function countAttemptsIn(
  db: Kysely<Database>,
  destinations: readonly IdentityRef[],
  { begins, ms }: { readonly begins: readonly number[]; readonly ms: number },
): Promise<readonly AttemptCounts[]> {
  const listOf = (values: readonly (string | number)[]) =>
    textRows(
      db,
      ['value'],
      values.map((value) => ({ value })),
    );
  const { rows } = await sql<{ at: number; outcome: AttemptOutcome; count: number }>`
    select at, outcome, sum(count) as count from (
      select times.at, outcomes.outcome, (select count(*) from (
        select 1 as one from attempts where tenant = known.tenant and destination = known.id
          and attempts.outcome = outcomes.outcome and attempts.at >= times.at and attempts.at < times.at + ${ms}
        limit ${COUNTED}) as counted) as count
      from ${textRows(db, ['tenant', 'id'], destinations)} as known
      cross join (select cast(value as bigint) as at from ${listOf(begins)} as begins) as times
      cross join (select value as outcome from ${listOf(attemptOutcomes)} as given) as outcomes) as each group by at, outcome`.execute(
    db,
  );
  const countOf = (begin: number, result: AttemptOutcome) =>
    Number(rows.find(({ at, outcome }) => Number(at) === begin && outcome === result)?.count ?? 0);
  return begins.map((at) => ({
    at,
    delivered: countOf(at, 'delivered'),
    failed: countOf(at, 'failed'),
    refused: countOf(at, 'refused'),
  }));
}
