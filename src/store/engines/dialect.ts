import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** Reports whether statements go to PostgreSQL; otherwise they go to SQLite. */
export function isPostgres(db: { getExecutor(): { readonly adapter: unknown } }): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Returns the end of a query that locks the selected rows and skips those that others have locked, so that concurrent processes
 * share the work. Use it in a CTE, which runs once: PostgreSQL may evaluate a subquery several times, each time with other rows.
 */
export const skipLocked = <Schema>(db: Kysely<Schema>): RawBuilder<unknown> =>
  isPostgres(db) ? sql`for update skip locked` : sql``;
