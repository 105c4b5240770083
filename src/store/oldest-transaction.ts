import { type Kysely, sql } from 'kysely';
import { isPostgres } from './engines/dialect.ts';

export interface OpenTransaction {
  readonly pid: number;
  /** May be empty. */
  readonly application: string;
  readonly user: string;
  readonly ms: number;
}

/**
 * Of PostgreSQL's, our own aside: rows that it might see cannot be vacuumed, so that queues grow. Those of other users may be hidden.
 * Undefined on SQLite.
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
