import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from './dialect.ts';

/** SQL expression of the time, in milliseconds since the epoch. */
export interface Clock {
  (): RawBuilder<number>;
  /** Returns the time where it is not the database's. */
  readonly read?: () => number;
}

/** On PostgreSQL that of the database, which processes share; on SQLite that of the one process. A given one replaces both. */
export function createClock<Schema>(db: Kysely<Schema>, given?: () => number): Clock {
  const read = given ?? (isPostgres(db) ? undefined : () => Date.now());
  if (!read) return () => timeOf({});
  return Object.assign(() => timeOf({ time: read() }), { read });
}

/** Time as a parameter of a prepared query; absent where it is the database's. */
export interface TimeParameter {
  readonly time?: number;
}

export const readTime = ({ read }: Clock): TimeParameter => (read ? { time: read() } : {});

export const timeOf = ({ time }: TimeParameter): RawBuilder<number> =>
  // Not the time of the statement: one that has waited for a lock would judge a younger lease to be in the future.
  time === undefined ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint` : sql`cast(${time} as bigint)`;

/** Returns the time as a bound of an index, for which it is computed once. */
export const fixed = (time: RawBuilder<number>): RawBuilder<number> => sql`(select ${time})`;
