import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely';

/** Reports whether statements go to PostgreSQL; otherwise they go to SQLite. */
export function isPostgres<Schema>(db: Kysely<Schema>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Locks the selected rows and skips those that others have locked, so that concurrent processes share the work. Use it in a CTE,
 * which runs once: PostgreSQL may evaluate a subquery several times, each time with other rows.
 */
export function skipLocked<Schema, Table extends keyof Schema, Row>(
  db: Kysely<Schema>,
  rows: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return isPostgres(db) ? rows.forUpdate().skipLocked() : rows;
}
