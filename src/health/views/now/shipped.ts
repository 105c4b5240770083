import { type Kysely, sql } from 'kysely';
import { COUNTED } from '../../../store/bounded-count.ts';
import type { Database } from '../../../store/schema.ts';

/** Orders that were shipped in the last day, and how many of them after they were due. */
export interface Shipped {
  readonly count: number;
  readonly late: number;
}

const DAY_MS = 86_400_000;

/** An order was shipped by when that was recorded, or by its newest event, whichever was earlier: one that was told late is not late. */
export async function countShipped(db: Kysely<Database>, now: number): Promise<Shipped> {
  const { rows } = await sql<Shipped>`
    select count(*) as count, coalesce(sum(case when stage_since > due_at and last_event_at > due_at then 1 else 0 end), 0) as late from (
      select stage_since, last_event_at, due_at from ${sql.table('subjects')}
      where kind = 'order' and stage = 'confirmed' and stage_since >= ${now - DAY_MS}
      order by stage_since limit ${COUNTED}) as shipped`.execute(db);
  const [{ count, late } = { count: 0, late: 0 }] = rows;
  return { count, late: Number(late) };
}
