import { rename, rm } from 'node:fs/promises';
import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Dialect, type Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { DocklineError, messageOf } from '../../domain/errors.ts';
import { BUSY, resultCode, translateSqliteFailure } from './failures.ts';
import { cacheStatements } from './statements.ts';

const NOT_A_DATABASE = 26;

const TIMEOUT_MS = 1000;

/** Pages of 4 KB at which the write-ahead log is copied to the file. At SQLite's own 1,000 a row takes a sixth longer. */
const LOG_PAGES = 4000;

/** Size to which the log shrinks after a long reader has made it grow. */
const KEPT_BYTES = 2 * LOG_PAGES * 4096;

/** Every commit survives the process, only one by {@link syncedCommits} the machine. @throws DocklineError `ERR_STORE_UNAVAILABLE` */
export function openSqlite(file: string): DatabaseSync {
  return open(file, file, (database) => {
    // Takes effect only before the first write; without it the file never shrinks.
    database.exec('pragma auto_vacuum = incremental');
    database.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = ${LOG_PAGES};
      pragma journal_size_limit = ${KEPT_BYTES}`);
    database.exec('begin immediate; commit');
  });
}

/** The dispatcher assumes that it is alone. The lock is on an empty database beside the file, which this process's threads read. */
export function lockSqlite(file: string): DatabaseSync {
  return open(file, `${file}-lock`, (lock) => lock.exec('pragma journal_mode = memory; begin exclusive'));
}

function open(store: string, file: string, prepare: (database: DatabaseSync) => void): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: TIMEOUT_MS, enableForeignKeyConstraints: false });
    prepare(database);
    return database;
  } catch (error) {
    database?.close();
    throw new DocklineError('ERR_STORE_UNAVAILABLE', `The store ${store} ${explain(error)}`, { cause: error });
  }
}

function explain(error: unknown): string {
  const code = resultCode(error);
  if (code === BUSY) return 'is in use by another process; only one Dockline process can open it';
  if (code === NOT_A_DATABASE) return 'is not a SQLite database';
  return `cannot be opened: ${messageOf(error)}`;
}

/** An interrupted migration starts over. */
export function sqliteDialect(database: DatabaseSync): Dialect {
  const dialect = new SqliteDialect({ database: adaptSqlite(database) });
  const adapter = Object.create(dialect.createAdapter(), { supportsTransactionalDdl: { value: true } });
  return Object.assign(dialect, { createAdapter: () => adapter });
}

/** Nothing else uses the connection meanwhile. */
export function syncedCommits<Schema>({
  db,
  database,
}: {
  readonly db: Kysely<Schema>;
  readonly database: DatabaseSync;
}) {
  const syncAt = (commits: 'full' | 'normal') =>
    translateSqliteFailure(() => database.exec(`pragma synchronous = ${commits}`));
  return <T>(write: (db: Kysely<Schema>) => Promise<T>): Promise<T> =>
    db.connection().execute(async (connection) => {
      syncAt('full');
      try {
        return await write(connection);
      } finally {
        syncAt('normal');
      }
    });
}

/** In the open transaction; true where it changed a row. A third faster than one statement for all rows. */
export type RunEach = (sql: string, lists: readonly (readonly unknown[])[]) => readonly boolean[];

export function createRunEach(database: DatabaseSync): RunEach {
  const statementOf = cacheStatements((sql) => database.prepare(sql));
  return (sql, lists) =>
    translateSqliteFailure(() => {
      const statement = statementOf(sql);
      return lists.map((parameters) => statement.run(...(parameters as readonly SQLInputValue[])).changes !== 0);
    });
}

/** Freed per call: enough to keep up, few enough not to delay other statements. */
const PAGES = 2000;

export function shrinkSqlite(database: DatabaseSync): void {
  // A prepared statement would stop after one page.
  translateSqliteFailure(() => database.exec(`pragma incremental_vacuum(${PAGES})`));
}

/** Another process may be writing. The new file gets its name once it is complete. */
export async function copySqliteFile(from: string, to: string): Promise<void> {
  const partial = `${to}.partial`;
  const database = new DatabaseSync(from, { readOnly: true, timeout: TIMEOUT_MS });
  try {
    // All pages in one step: between two, a commit of another process would have it begin again.
    await backup(database, partial, { rate: 2 ** 31 - 1 });
    await rename(partial, to);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    database.close();
  }
}

function adaptSqlite(database: DatabaseSync): SqliteDatabase {
  const statementOf = cacheStatements((sql) => translateSqliteFailure(() => prepare(database, sql)));
  return {
    close: () => database.close(),
    // On a full disk SQLite rolls back by itself; the error of a second rollback would hide the cause.
    prepare: (sql) => (sql === 'rollback' && !database.isTransaction ? nothingToDo : statementOf(sql)),
  };
}

const nothingToDo: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
};

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  const bind = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => translateSqliteFailure(() => statement.all(...bind(parameters))),
    run: (parameters) => translateSqliteFailure(() => statement.run(...bind(parameters))),
    iterate: (parameters) => statement.iterate(...bind(parameters)),
  };
}
