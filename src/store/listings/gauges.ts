import { type Kysely, sql } from 'kysely';
import { attentions } from '../../domain/lifecycle/attention.ts';
import type { StoredGauges } from '../../observability/metrics/stored.ts';
import type { Database, ListingDeps } from '../schema.ts';
import { waitingRows } from '../tables/waiting.ts';
import {
  COUNTED,
  countDeadLetters,
  countEach,
  countQuarantinedBy,
  countStage,
  countUnsent,
  openStages,
  runCounts,
} from './bounded-count.ts';

const openKinds = Object.entries(openStages).flatMap(([kind, stages]) =>
  stages.map((stage) => ({ kind: kind as keyof typeof openStages, stage })),
);

/** Creates a reading of the gauges. Each statement reads a bounded part of an index. */
export function createStoredReading({
  reads: db,
  now,
  waiting,
}: ListingDeps & { readonly waiting: () => number }): () => Promise<StoredGauges> {
  return async () => {
    const oldest = await waitingRows(db).select('received_at as at').orderBy('id').limit(1).executeTakeFirst();
    const quarantined = await countQuarantinedBy(db);
    const [deadLetters, unsent] = await runCounts(db, [countDeadLetters, countUnsent]);
    const subjects = (await countEach(db, openKinds, countStage)).map(({ item, ...count }) => ({ ...item, ...count }));
    return {
      at: now(),
      waiting: { count: waiting(), since: oldest?.at ?? null },
      ...{ quarantined, deadLetters: deadLetters.count, unsent, subjects, attention: await countAttention(db) },
    };
  };
}

async function countAttention(db: Kysely<Database>): Promise<StoredGauges['attention']> {
  const { rows } = await sql<{ [A in (typeof attentions)[number]]: number | null }>`
    select sum(stalled) as stalled, sum(unannounced) as unannounced,
      sum(case when refused is not null then 1 else 0 end) as refused,
      sum(case when retrieving is not null or announcing is not null then 1 else 0 end) as failing
    from (select stalled, unannounced, refused, retrieving, announcing from subjects where needs_attention = 1
      limit ${COUNTED}) as marked`.execute(db);
  return Object.fromEntries(
    attentions.map((name) => [name, Number(rows[0]?.[name] ?? 0)]),
  ) as StoredGauges['attention'];
}
