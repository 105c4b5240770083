import { type Kysely, sql } from 'kysely';
import { categoryOf, type QuarantineCategory, type QuarantineCode, quarantineCodes } from '../../domain/quarantine.ts';
import { type BoundedCount, COUNTED, sumCounts, toBounded } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { someOfEach } from './quarantined.ts';
import { isWaiting } from './waiting.ts';

/** Of the oldest only, since it is stored beside the body. */
const since = sql`(select received_at from ${sql.table('inbox')} where id = first) as since`;

export async function countWaiting(db: Kysely<Database>): Promise<BoundedCount> {
  const { rows } = await sql<Omit<BoundedCount, 'isMore'>>`select count, ${since} from (
    select count(*) as count, min(id) as first from (
      select id from ${sql.table('inbox')} where ${isWaiting} order by id limit ${COUNTED + 1}) as counted) as bounded`.execute(
    db,
  );
  return toBounded(rows[0]);
}

/** Up to a limit for each reason. */
export async function countQuarantined(db: Kysely<Database>): Promise<ReadonlyMap<QuarantineCategory, BoundedCount>> {
  const { rows } = await sql<{ code: QuarantineCode; count: number; since: number }>`
    select code, count, ${since} from (
      select code, count(*) as count, min(id) as first from ${someOfEach(quarantineCodes, COUNTED + 1)} group by code
    ) as bounded`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ code }) => categoryOf(code))].map(([category, each]) => [
      category,
      sumCounts(each.map(toBounded)),
    ]),
  );
}
