import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { AttemptOutcome } from '../domain/exchange.ts';
import type { Database } from './schema.ts';
import { isDueAndOpen } from './tables/deadlines.ts';
import { identityOf } from './tables/identities.ts';
import { isWaiting } from './tables/waiting.ts';

/** Rows that are counted at most; each takes less than a microsecond. */
export const COUNTED = 10_000;

/** Number of rows, up to a limit. */
export interface CountedRows {
  readonly count: number;
  /** There are more. */
  readonly isMore: boolean;
}

/** Number of rows, up to a limit, with the least value of a column among those counted. */
export interface BoundedCount extends CountedRows {
  /** Null if there is none. */
  readonly since: number | null;
}

/** Counts the rows of a selection, up to the limit. */
export async function countMatching<Tables extends object, Table extends keyof Tables>(
  db: Kysely<Database>,
  rows: SelectQueryBuilder<Tables, Table, object>,
): Promise<CountedRows> {
  const bounded = rows.select(sql.lit(1).as('one')).limit(COUNTED + 1);
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from (${bounded}) as counted`.execute(
    db,
  );
  const count = Number(counted[0]?.count ?? 0);
  return { count: Math.min(count, COUNTED), isMore: count > COUNTED };
}

/** Statement that counts rows up to the limit, with the least value of a column among those counted. */
type CountStatement = RawBuilder<{ readonly count: number; readonly since: number | null }>;

/** Counts rows in the order of a column. */
const countRows = (rows: RawBuilder<unknown>, column: string): CountStatement =>
  sql`select count(*) as count, min(since) as since
    from (select ${sql.ref(column)} as since from ${rows} order by ${sql.ref(column)} limit ${COUNTED + 1}) as counted`;

/** Counts subjects; `since` is when the one that has been in its stage for longest entered it. */
export const countSubjects = (condition: RawBuilder<unknown>): CountStatement =>
  countRows(sql`${sql.table('subjects')} where ${condition}`, 'stage_since');

/** Counts open subjects by their deadline, with a condition on it; `since` is the earliest one. */
export const countDue = (condition: RawBuilder<unknown>): CountStatement =>
  countRows(sql`${sql.table('subjects')} where ${isDueAndOpen} and ${condition}`, 'due_at');

/** Reads the result of a count. */
export const toBounded = (
  { count, since }: Omit<BoundedCount, 'isMore'> = { count: 0, since: null },
): BoundedCount => ({
  count: Math.min(count, COUNTED),
  isMore: count > COUNTED,
  since,
});

/** Runs counts as one statement, since many small ones take more of this thread than of the database; returns their results in order. */
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

/** Counts for each of a list, as {@link runCounts} does. */
export async function countEach<T>(
  db: Kysely<Database>,
  list: readonly T[],
  countOf: (item: T) => CountStatement,
): Promise<readonly (BoundedCount & { readonly item: T })[]> {
  const counts = await runCounts(db, list.map(countOf));
  return list.map((item, index) => ({ ...(counts[index] as BoundedCount), item }));
}

/** Counts the subjects of a kind that are in a stage, since a time at the earliest if one is given. */
export const countStage = ({
  kind,
  stage,
  since,
}: {
  readonly kind: string;
  readonly stage: string;
  readonly since?: number | undefined;
}): CountStatement => {
  const range = since === undefined ? sql`` : sql`and stage_since >= ${since}`;
  return countSubjects(sql`kind = ${kind} and stage = ${stage} ${range}`);
};

/** Counts deliveries; `since` is when the oldest arrived, which is looked up for it alone, since it is stored beside the body. */
const countDeliveries = (condition: RawBuilder<unknown>): CountStatement =>
  sql`select count, (select received_at from ${sql.table('inbox')} where id = first) as since from (
    select count(*) as count, min(id) as first from (
      select id from ${sql.table('inbox')} where ${condition} order by id limit ${COUNTED + 1}) as counted) as bounded`;

/** Counts quarantined deliveries. */
export const countQuarantined: CountStatement = countDeliveries(sql`quarantine_reason is not null`);

/** Counts deliveries that wait to be observed. */
export const countWaiting: CountStatement = countDeliveries(isWaiting);

/** Counts dead letters; `since` is when the oldest became one. */
export const countDeadLetters: CountStatement = countRows(
  sql`${sql.table('outbox')} where sent_at is null and dead_lettered_at is not null`,
  'dead_lettered_at',
);

/** Counts announcements that are still to be sent; `since` is when the oldest was recorded. */
export const countUnsent: CountStatement = countRows(
  sql`${sql.table('outbox')} where sent_at is null and dead_lettered_at is null`,
  'created_at',
);

/** Counts the attempts of a destination with a result that ended within a time. */
export const countAttempts = ({
  tenant,
  name,
  outcome,
  from,
  to,
}: {
  readonly tenant: string;
  readonly name: string;
  readonly outcome: AttemptOutcome;
  readonly from: number;
  readonly to: number;
}): CountStatement =>
  countRows(
    sql`attempts where tenant = ${tenant} and destination = ${identityOf({ tenant, name })} and outcome = ${outcome}
      and at >= ${from} and at < ${to}`,
    'at',
  );
