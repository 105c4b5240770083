import { sql } from 'kysely';
import { isPostgres } from '../../store/engines/dialect.ts';
import type { ListingDeps } from '../../store/schema.ts';

/**
 * Creates a function that returns a text that changes with every commit, and costs nothing to compute. SQLite numbers the commits that
 * another connection sees. PostgreSQL's snapshot changes when a writing transaction begins or ends, in any database of the server.
 */
export function createCursor({ reads }: Pick<ListingDeps, 'reads'>): () => Promise<string> {
  const query = isPostgres(reads)
    ? sql<{ cursor: string }>`select pg_current_snapshot()::text as cursor`
    : sql<{ cursor: number }>`select data_version as cursor from pragma_data_version`;
  return async () => String((await query.execute(reads)).rows[0]?.cursor);
}
