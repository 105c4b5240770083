import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from './dialect.ts';

/** SQL expression of the time, in milliseconds since the epoch. */
export type Clock = () => RawBuilder<number>;

/**
 * Creates the clock by which processes judge what others have written: on PostgreSQL that of the database, which they share; on SQLite that
 * of the one process. A given one replaces both.
 */
export function createClock<Schema>(db: Kysely<Schema>, given?: () => number): Clock {
  const own = given ?? (() => Date.now());
  if (given || !isPostgres(db)) return () => sql`cast(${own()} as bigint)`;
  // Not the time of the statement: one that has waited for a lock would judge a younger lease to be in the future.
  return () => sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/** Returns the time as a bound of an index, for which it is computed once. */
export const fixed = (time: RawBuilder<number>): RawBuilder<number> => sql`(select ${time})`;
