import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import type { Stage } from '../../domain/lifecycle/stage.ts';
import { type QuarantineCategory, quarantineBeginnings, quarantineCategories } from '../../domain/quarantine.ts';
import type { Database } from '../schema.ts';
import { isWaiting } from '../tables/waiting.ts';

/** Rows that are counted at most; each takes less than a microsecond. */
export const COUNTED = 10_000;

/** Stages of subjects that something is still expected of. */
export const openStages = {
  order: ['created', 'completed', 'fullyAllocated', 'picked', 'packing', 'packed'],
  receipt: ['created', 'completed'],
  adjustment: ['created'],
  assembly: ['created'],
} as const satisfies { readonly [K in SubjectKind]?: readonly Stage[] };

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
  countDeliveries(db, sql`quarantine_reason is not null`);

/** Counts deliveries that wait to be observed; `since` is when the oldest arrived. */
export const countWaiting = (db: Kysely<Database>): Promise<BoundedCount> => countDeliveries(db, isWaiting);

async function countDeliveries(db: Kysely<Database>, condition: RawBuilder<unknown>): Promise<BoundedCount> {
  const { since: first, ...count } = await countRows(db, sql`inbox where ${condition} order by id`, sql`id`);
  if (first === null) return { ...count, since: null };
  // Only of one, since the others are beside their bodies.
  const row = await db.selectFrom('inbox').select('received_at as at').where('id', '=', first).executeTakeFirst();
  return { ...count, since: row?.at ?? null };
}

const category = sql`case ${sql.join(
  Object.entries(quarantineBeginnings).flatMap(([name, beginnings]) =>
    beginnings.map((text) => sql`when substr(quarantine_reason, 1, ${sql.lit(text.length)}) = ${text} then ${name}`),
  ),
  sql` `,
)} else 'other' end`;

/**
 * Counts quarantined deliveries by category. It reads an index alone, by the alphabet: beyond the limit the last are left out, which are
 * those that a sender can cause at will.
 */
export async function countQuarantinedBy(db: Kysely<Database>): Promise<Readonly<Record<QuarantineCategory, number>>> {
  const { rows } = await sql<{ category: QuarantineCategory; count: number }>`
    select category, count(*) as count from (
      select ${category} as category from inbox where quarantine_reason is not null
      order by quarantine_reason limit ${COUNTED}) as counted
    group by category`.execute(db);
  const countOf = (one: QuarantineCategory) => Number(rows.find((row) => row.category === one)?.count ?? 0);
  return Object.fromEntries(quarantineCategories.map((one) => [one, countOf(one)])) as Record<
    QuarantineCategory,
    number
  >;
}

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
