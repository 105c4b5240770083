import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from './dialect.ts';

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
