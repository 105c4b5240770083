import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Each takes less than a microsecond. */
export const COUNTED = 10_000;

export interface CountedRows {
  readonly count: number;
  readonly isMore: boolean;
}

export interface BoundedCount extends CountedRows {
  /** Least value of a column; null if nothing was counted. */
  readonly since: number | null;
}

export async function countMatching<Tables extends object, Table extends keyof Tables>(
  db: Kysely<Database>,
  rows: SelectQueryBuilder<Tables, Table, object>,
  most = COUNTED,
): Promise<CountedRows> {
  const bounded = rows.select(sql.lit(1).as('one')).limit(most + 1);
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from (${bounded}) as counted`.execute(
    db,
  );
  const count = Number(counted[0]?.count ?? 0);
  return { count: Math.min(count, most), isMore: count > most };
}

export type CountStatement = RawBuilder<{ readonly count: number; readonly since: number | null }>;

export const countRows = (rows: RawBuilder<unknown>, column: string): CountStatement =>
  sql`select count(*) as count, min(since) as since
    from (select ${sql.ref(column)} as since from ${rows} order by ${sql.ref(column)} limit ${COUNTED + 1}) as counted`;

export const toBounded = (
  { count, since }: Omit<BoundedCount, 'isMore'> = { count: 0, since: null },
): BoundedCount => ({
  count: Math.min(count, COUNTED),
  isMore: count > COUNTED,
  since,
});

export function sumCounts(counts: readonly BoundedCount[]): BoundedCount {
  const times = counts.flatMap(({ since }) => since ?? []);
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    isMore: counts.some(({ isMore }) => isMore),
    since: times.length === 0 ? null : Math.min(...times),
  };
}

/** Many small statements take more of this thread than of the database: they run as one. Results are in order. */
export async function runCounts<const Counts extends readonly CountStatement[]>(
  db: Kysely<Database>,
  counts: Counts,
): Promise<{ readonly [Index in keyof Counts]: BoundedCount }> {
  const placed = counts.map(
    (count, place) => sql`select ${sql.lit(place)} as place, count, since from (${count}) as placed`,
  );
  const all = sql<Omit<BoundedCount, 'isMore'>>`${sql.join(placed, sql` union all `)} order by place`;
  const rows = counts.length === 0 ? [] : (await all.execute(db)).rows;
  return rows.map(toBounded) as { readonly [Index in keyof Counts]: BoundedCount };
}

export async function countEach<T>(
  db: Kysely<Database>,
  list: readonly T[],
  countOf: (item: T) => CountStatement,
): Promise<readonly (BoundedCount & { readonly item: T })[]> {
  const counts = await runCounts(db, list.map(countOf));
  return list.map((item, index) => ({ ...(counts[index] as BoundedCount), item }));
}
