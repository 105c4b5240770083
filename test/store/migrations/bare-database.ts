import { Kysely, type LogConfig } from 'kysely';
import { onTestFinished } from 'vitest';
import type { StoreLocation } from '../../../src/app/store.ts';
import { postgresDialect } from '../../../src/store/engines/postgres.ts';
import { openSqlite, sqliteDialect } from '../../../src/store/engines/sqlite.ts';

/** Opens the database for the test, without migrating it. */
export async function openBare(location: StoreLocation, log: LogConfig = []) {
  const dialect =
    'url' in location
      ? postgresDialect(location.url, { connections: 1, connectMs: 5000, statementMs: 0, synced: true })
      : sqliteDialect(openSqlite(location.file));
  const db = new Kysely<Record<string, never>>({ dialect, log });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= db.destroy());
  onTestFinished(close);
  return { db, close };
}
