import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

export function isPostgres(db: { getExecutor(): { readonly adapter: unknown } }): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Shares work between processes. Use it in a CTE: PostgreSQL may evaluate a subquery several times, each time with other rows. */
export const skipLocked = <Schema>(db: Kysely<Schema>): RawBuilder<unknown> =>
  isPostgres(db) ? sql`for update skip locked` : sql``;

/** A list grows with an installation, a statement must not. PostgreSQL gets arrays: JSON takes it a thousand times as long to plan. */
export const textRows = <Column extends string>(
  db: Parameters<typeof isPostgres>[0],
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string | number | null>>[],
): RawBuilder<unknown> => {
  if (isPostgres(db)) {
    const texts = columns.map((column) => rows.map(({ [column]: value }) => value?.toString() ?? null));
    const arrays = sql.join(texts.map((of) => sql`${of}::text[]`));
    return sql`(select * from unnest(${arrays}) as given (${sql.join(columns.map((column) => sql.ref(column)))}))`;
  }
  const texts = columns.map((column) => sql`given.value ->> ${sql.lit(column)} as ${sql.ref(column)}`);
  return sql`(select ${sql.join(texts)} from json_each(${JSON.stringify(rows)}) as given)`;
};

export interface Clock {
  (): RawBuilder<number>;
  /** Absent where the time is the database's. */
  readonly read?: () => number;
}

/** The database's on PostgreSQL, which processes share; this process's on SQLite. A given one replaces both. */
export function createClock<Schema>(db: Kysely<Schema>, given?: () => number): Clock {
  const read = given ?? (isPostgres(db) ? undefined : () => Date.now());
  if (!read) return () => timeOf({});
  return Object.assign(() => timeOf({ time: read() }), { read });
}

export interface TimeParameter {
  readonly time?: number;
}

export const readTime = ({ read }: Clock): TimeParameter => (read ? { time: read() } : {});

export const timeOf = ({ time }: TimeParameter): RawBuilder<number> =>
  // Not the time of the statement: one that has waited for a lock would judge a younger lease to be in the future.
  time === undefined ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint` : sql`cast(${time} as bigint)`;

/** Computed once as a bound of an index. */
export const fixed = (time: RawBuilder<number>): RawBuilder<number> => sql`(select ${time})`;
