import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { AttemptOutcome } from '../domain/exchange.ts';
import type { Database } from './schema.ts';
import { isDueAndOpen } from './tables/deadlines.ts';
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
  return rows.map(({ count, since }) => ({
    count: Math.min(count, COUNTED),
    isMore: count > COUNTED,
    since,
  })) as { readonly [Index in keyof Counts]: BoundedCount };
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
  destination,
  outcome,
  from,
  to,
}: {
  readonly tenant: string;
  readonly destination: string;
  readonly outcome: AttemptOutcome;
  readonly from: number;
  readonly to: number;
}): CountStatement =>
  countRows(
    sql`attempts where tenant = ${tenant} and destination = ${destination} and outcome = ${outcome}
      and at >= ${from} and at < ${to}`,
    'at',
  );

/** Subjects of a warehouse account, or of one customer of it, up to a limit, with the least value of a column. */
export interface AccountCount {
  readonly tenant: string;
  /** Null where customers are not told apart, and while it is unknown. */
  readonly customerId: string | null;
  readonly count: number;
  /** There may be more. */
  readonly isMore: boolean;
  readonly since: number;
}

/** Counts subjects by account, and by customer if `byCustomer`: of the first ones of a column, those that also meet a second condition. */
export async function countByAccount(
  db: Kysely<Database>,
  {
    first,
    column,
    then = sql`1 = 1`,
    byCustomer,
  }: {
    readonly first: RawBuilder<unknown>;
    readonly column: 'due_at' | 'stage_since';
    readonly then?: RawBuilder<unknown>;
    readonly byCustomer: boolean;
  },
): Promise<readonly AccountCount[]> {
  const customer = byCustomer ? sql`customer_id` : sql`null`;
  const { rows } = await sql<Omit<AccountCount, 'isMore'> & { readonly all: number }>`
    select tenant, "customerId", count(*) as count, min(since) as since, max(read) as "all" from (
      select tenant, ${customer} as "customerId", ${sql.ref(column)} as since, at_risk_at, count(*) over () as read from (
        select tenant, customer_id, at_risk_at, ${sql.ref(column)} from ${sql.table('subjects')} where ${first}
        order by ${sql.ref(column)} limit ${COUNTED + 1}) as read) as counted
    where ${then} group by tenant, "customerId" order by tenant, "customerId"`.execute(db);
  return rows.map(({ all, ...row }) => ({ ...row, isMore: all > COUNTED }));
}
