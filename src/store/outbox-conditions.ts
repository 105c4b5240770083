import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { REMOVED } from '../domain/routing.ts';
import type { Database } from './schema.ts';

/** As no index has it, for announcements known by id (DECISIONS.md, 200). */
export const isOpen = sql<boolean>`+sent_at is null`;

/** As the index by subject has it. */
export const isOpenOfSubject = sql<boolean>`coalesce(sent_at, -1) = -1`;

/** For announcements known by id. */
export const isUnsent = ({ and, eb }: ExpressionBuilder<Database, 'outbox'>) =>
  and([isOpen, eb('dead_lettered_at', 'is', null)]);

export const isUnsentOfSubject = ({ and, eb }: ExpressionBuilder<Database, 'outbox'>) =>
  and([isOpenOfSubject, eb('dead_lettered_at', 'is', null)]);

export const isDeadLettered = ({ and, eb }: ExpressionBuilder<Database, 'outbox'>) =>
  and([isOpen, eb('dead_lettered_at', 'is not', null)]);

export const isOfPaused = sql<boolean>`exists (select 1 from destinations
  where destinations.tenant = outbox.tenant and destinations.id = outbox.destination and paused_at is not null)`;

/** Configured, or added and not removed. */
export const isThere = sql<boolean>`coalesce(configured, settings) is not null`;

export const shownName = sql<string>`name || case when ${isThere} then '' else ${sql.lit(REMOVED)} end`;

export const nameOf = (table: 'outbox' | 'attempts'): RawBuilder<string> =>
  sql<string>`(select ${shownName} from ${sql.table('destinations')} as named
    where named.tenant = ${sql.ref(`${table}.tenant`)} and named.id = ${sql.ref(`${table}.destination`)})`;
