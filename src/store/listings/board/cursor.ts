import { sql } from 'kysely';
import { isPostgres } from '../../engines/dialect.ts';
import type { StoreDeps } from '../../schema.ts';

/**
 * Creates a function that returns a text that changes with every write, and costs nothing to compute. SQLite counts the rows that its only
 * connection has written. PostgreSQL's snapshot changes when a writing transaction begins or ends, in any database of the server.
 */
export function createCursor({ db }: Pick<StoreDeps, 'db'>): () => Promise<string> {
  const query = isPostgres(db)
    ? sql<{ cursor: string }>`select pg_current_snapshot()::text as cursor`
    : sql<{ cursor: number }>`select total_changes() as cursor`;
  return async () => String((await query.execute(db)).rows[0]?.cursor);
}
