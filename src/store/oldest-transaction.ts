import { type Kysely, sql } from 'kysely';
import { isPostgres } from './engines/dialect.ts';

export interface OpenTransaction {
  readonly pid: number;
  /** Name of its program, which may be empty. */
  readonly application: string;
  readonly user: string;
  readonly ms: number;
}

/**
 * Of PostgreSQL's database, our own aside: no row that it might still see can be vacuumed, so that queues grow. PostgreSQL hides those of
 * users whom it may not see. Undefined on SQLite, which has no others.
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
