import { type RawBuilder, sql } from 'kysely';
import { REMOVED } from '../../domain/routing.ts';

/** Configured, or added and not removed. */
export const isThere = sql<boolean>`coalesce(configured, settings) is not null`;

export const shownName = sql<string>`name || case when ${isThere} then '' else ${sql.lit(REMOVED)} end`;

export const nameOf = (table: 'outbox' | 'attempts'): RawBuilder<string> =>
  sql<string>`(select ${shownName} from ${sql.table('destinations')} as named
    where named.tenant = ${sql.ref(`${table}.tenant`)} and named.id = ${sql.ref(`${table}.destination`)})`;
