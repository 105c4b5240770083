import { type ColumnDataType, type Kysely, PostgresAdapter } from 'kysely';

/** Whether statements go to PostgreSQL; otherwise they go to SQLite. */
export function isPostgres<Schema>(db: Kysely<Schema>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The type of a column of bytes. */
export function bytesType<Schema>(db: Kysely<Schema>): ColumnDataType {
  return isPostgres(db) ? 'bytea' : 'blob';
}
