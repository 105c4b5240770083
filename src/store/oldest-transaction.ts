import { type Kysely, sql } from 'kysely';
import { isPostgres } from './engines/dialect.ts';

/** Transaction of another connection that is open. */
export interface OpenTransaction {
  readonly pid: number;
  /** Names of its program, which may be empty, and of its user. */
  readonly application: string;
  readonly user: string;
  readonly ms: number;
}

/**
 * Finds the transaction of PostgreSQL's database that has been open for longest, our own aside: no row that it might still see can be vacuumed, so that queues
 * grow. Of users whom it may not see PostgreSQL tells nothing. Undefined on SQLite, which has no others.
 */
export async function findOldestTransaction<Schema>(db: Kysely<Schema>): Promise<OpenTransaction | undefined> {
  if (!isPostgres(db)) return undefined;
  const { rows } = await sql<OpenTransaction>`
    select pid, application_name as application, usename as user, extract(epoch from now() - xact_start)::float8 * 1000 as ms
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`.execute(db);
  return rows[0];
}
