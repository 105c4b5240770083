import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { DocklineError } from '../domain/errors.ts';
import { resultCode, translateFailure } from './sqlite-failure.ts';

const BUSY = 5;
const NOT_A_DATABASE = 26;

/**
 * Opens a SQLite file for this process alone, every commit synced to the disk.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` when the file cannot be opened or another process has it
 */
export function openSqlite(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 1000, enableForeignKeyConstraints: false });
    // The dispatcher assumes that it is alone, so the lock is taken now and kept until the file is closed.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full');
    database.exec('begin immediate; commit');
    return database;
  } catch (error) {
    database?.close();
    throw new DocklineError('ERR_STORE_UNAVAILABLE', `The store ${file} ${explain(error)}`, { cause: error });
  }
}

function explain(error: unknown): string {
  const code = resultCode(error);
  if (code === BUSY) return 'is in use by another process; one Dockline at a time can have it';
  if (code === NOT_A_DATABASE) return 'is not a SQLite database';
  return `cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
}

/** The database as Kysely's dialect expects it. */
export function adaptSqlite(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (sql) => {
      // A full disk makes SQLite roll back by itself; a second rollback would hide why.
      if (sql === 'rollback' && !database.isTransaction) return nothingToDo;
      return translateFailure(() => prepare(database, sql));
    },
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
    all: (parameters) => translateFailure(() => statement.all(...bind(parameters))),
    run: (parameters) => translateFailure(() => statement.run(...bind(parameters))),
    iterate: (parameters) => statement.iterate(...bind(parameters)),
  };
}
