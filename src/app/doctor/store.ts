import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Config } from '../../config/config.ts';
import { plainAddress } from '../../destinations/settings.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { BUSY, resultCode } from '../../store/engines/failures.ts';
import { assertUsable, postgresDialect } from '../../store/engines/postgres.ts';
import { lockSqlite, sqliteDialect } from '../../store/engines/sqlite.ts';
import { readVersion } from '../../store/migrations/migrations.ts';
import type { Database } from '../../store/schema.ts';
import { type StoreLocation, storeLocation } from '../store.ts';
import { type Check, checksOf, type Finding } from './check.ts';

export async function checkStore(config: Config): Promise<readonly Check[]> {
  const location = storeLocation(config);
  const name = 'url' in location ? plainAddress(location.url) : location.file;
  return [await checksOf('store')(name, () => inspectStore(location))];
}

/** Does not migrate; writes in a transaction that is rolled back. Rejects if that fails. */
export async function inspectStore(location: StoreLocation): Promise<Finding> {
  if ('file' in location && !existsSync(location.file)) return ['ok', 'will be created at the start'];
  await using opened = new AsyncDisposableStack();
  try {
    if ('file' in location) opened.use(lockSqlite(location.file));
    return await inspect(opened.adopt(open(location), (it) => it.destroy()));
  } catch (error) {
    const { cause } = error as Error;
    if (resultCode(cause ?? error) === BUSY)
      return ['skipped', 'another process has it open, such as a running Dockline: not written to'];
    throw error;
  }
}

const limits = { connections: 1, connectMs: 5000, statementMs: 5000, synced: true } as const;

function open(location: StoreLocation): Kysely<Database> {
  const dialect =
    'url' in location
      ? postgresDialect(location.url, limits)
      : sqliteDialect(new DatabaseSync(location.file, { timeout: 500 }));
  return new Kysely<Database>({ dialect });
}

async function inspect(db: Kysely<Database>): Promise<Finding> {
  if (isPostgres(db)) await assertUsable(db, 'in PostgreSQL');
  const { version, pending, fault } = await readVersion(db);
  if (fault) return ['failed', fault.reason, fault.advice];
  const found = `has version ${version} of the schema`;
  if (pending.length > 0) return ['ok', `${found}, will be migrated at the start: ${pending.join(', ')}`];
  await tryWriting(db);
  return ['ok', `${found}, is writable`];
}

async function tryWriting(db: Kysely<Database>): Promise<void> {
  const transaction = await db.startTransaction().execute();
  try {
    await transaction.insertInto('processes').values({ id: 'doctor', heartbeat_at: 0 }).execute();
  } finally {
    await transaction.rollback().execute();
  }
}
