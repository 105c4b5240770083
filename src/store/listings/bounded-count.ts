import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** Rows that are counted at most; each takes less than a microsecond. */
export const COUNTED = 10_000;

/** Number of rows, up to a limit, with the least value of a column among those counted. */
export interface BoundedCount {
  readonly count: number;
  readonly isMore: boolean;
  readonly since: number | null;
}

/** Counts rows, and finds the least value of a column among those counted. */
export async function countRows(
  db: Kysely<Database>,
  source: RawBuilder<unknown>,
  column: RawBuilder<unknown>,
): Promise<BoundedCount> {
  const rows = sql<{ count: number; since: number | null }>`select count(*) as count, min(since) as since
    from (select ${column} as since from ${source} limit ${COUNTED + 1}) as counted`;
  const [{ count, since } = { count: 0, since: null }] = (await rows.execute(db)).rows;
  return { count: Math.min(count, COUNTED), isMore: count > COUNTED, since };
}

/** Counts the subjects of a kind in a stage, and finds the time since which the oldest is in it. */
export const countStage = (
  db: Kysely<Database>,
  { kind, stage, since }: { readonly kind: string; readonly stage: string; readonly since?: number | undefined },
): Promise<BoundedCount> => {
  const range = since === undefined ? sql`` : sql`and stage_since >= ${since}`;
  const source = sql`subjects where kind = ${kind} and stage = ${stage} ${range} order by stage_since`;
  return countRows(db, source, sql`stage_since`);
};

/** Counts quarantined deliveries; `since` is when the oldest arrived. */
export const countQuarantined = (db: Kysely<Database>): Promise<BoundedCount> =>
  countRows(db, sql`inbox where quarantine_reason is not null order by id`, sql`received_at`);

/** Counts dead letters; `since` is when the oldest became one. */
export const countDeadLetters = (db: Kysely<Database>): Promise<BoundedCount> =>
  countRows(
    db,
    sql`announcements where sent_at is null and dead_lettered_at is not null order by dead_lettered_at`,
    sql`dead_lettered_at`,
  );

/** Counts announcements that are still to be sent; `since` is when the oldest was recorded. */
export const countUnsent = (db: Kysely<Database>): Promise<BoundedCount> =>
  countRows(
    db,
    sql`announcements where sent_at is null and dead_lettered_at is null order by created_at`,
    sql`created_at`,
  );
