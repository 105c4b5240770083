import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StoredCounts } from '../../admin/ports.ts';
import { isPostgres } from '../engines/dialect.ts';
import type { Database } from '../schema.ts';
import { resting } from './resting.ts';

type StageOfKind = Omit<StoredCounts['subjects'][number], 'count'>;

/** Rows that one statement counts, for one or two milliseconds. */
const PIECE = 10_000;

/**
 * Counts all subjects by kind and stage, in that order. With SQLite it counts the index in pieces, between which webhooks are served; a subject that changes its stage meanwhile may be counted twice or not at all.
 */
export async function countSubjects(db: Kysely<Database>): Promise<StoredCounts['subjects']> {
  if (isPostgres(db)) return await countAtOnce(db);
  const counts = [];
  for (let group = await findFirst(db); group; group = await findNext(db, group))
    counts.push({ ...group, count: await countGroup(db, group) });
  return counts;
}

const countAtOnce = (db: Kysely<Database>): Promise<StoredCounts['subjects']> =>
  db
    .selectFrom('subjects')
    .select(({ fn }) => ['kind', 'stage', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'stage'])
    .orderBy('kind')
    .orderBy('stage')
    .execute();

const findFirst = (db: Kysely<Database>, where: RawBuilder<boolean> = sql`true`): Promise<StageOfKind | undefined> =>
  db
    .selectFrom('subjects')
    .select(['kind', 'stage'])
    .where(where)
    .orderBy('kind')
    .orderBy('stage')
    .limit(1)
    .executeTakeFirst();

/** Finds the next stage of a kind, or the next kind: a comparison of both at once would read all of the former. */
const findNext = async (db: Kysely<Database>, { kind, stage }: StageOfKind): Promise<StageOfKind | undefined> =>
  (await findFirst(db, sql`kind = ${kind} and stage > ${stage}`)) ?? (await findFirst(db, sql`kind > ${kind}`));

async function countGroup(db: Kysely<Database>, { kind, stage }: StageOfKind): Promise<number> {
  let total = 0;
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rest = sql`subjects where kind = ${kind} and stage = ${stage} and stage_since > ${after}`;
    const piece = sql<{ until: number | null; count: number }>`
      select until, (select count(*) from ${rest} and stage_since <= until) as count
      from (select max(stage_since) as until
        from (select stage_since from ${rest} order by stage_since limit ${PIECE}) as piece) as pieces`;
    const { rows } = await resting(db, () => piece.execute(db));
    const { until, count } = rows[0] ?? { until: null, count: 0 };
    total += count;
    if (until === null || count < PIECE) return total;
    after = until;
  }
}
