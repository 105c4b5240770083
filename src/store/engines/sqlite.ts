import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Dialect, type Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import { DocklineError } from '../../domain/errors.ts';
import { resultCode, translateFailure } from './sqlite-failure.ts';

const BUSY = 5;
const NOT_A_DATABASE = 26;

/**
 * Opens a SQLite file for this process alone. Commits outlive the process; only those made by {@link syncedCommits} are sure to
 * outlive the machine, together with all that came before them.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` when the file cannot be opened or another process has it
 */
export function openSqlite(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 1000, enableForeignKeyConstraints: false });
    // Before anything is written, or the file can never give back what is deleted from it.
    database.exec('pragma auto_vacuum = incremental');
    // The dispatcher assumes that it is alone, so the lock is taken now and kept until the file is closed.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal');
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

/** Kysely's dialect over the database. A migration is a transaction, so one that was interrupted is begun again. */
export function sqliteDialect(database: DatabaseSync): Dialect {
  const dialect = new SqliteDialect({ database: adaptSqlite(database) });
  return {
    createDriver: () => dialect.createDriver(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createAdapter: () => Object.create(dialect.createAdapter(), { supportsTransactionalDdl: { value: true } }),
  };
}

/** Runs a write whose commits are synced to the disk. Nothing else uses the connection meanwhile. */
export function syncedCommits<Schema>(db: Kysely<Schema>) {
  return <T>(write: (db: Kysely<Schema>) => Promise<T>): Promise<T> =>
    db.connection().execute(async (connection) => {
      await sql`pragma synchronous = full`.execute(connection);
      try {
        return await write(connection);
      } finally {
        await sql`pragma synchronous = normal`.execute(connection);
      }
    });
}

/** How many free pages are given back at once: enough to keep up, few enough that nobody waits for it. */
const PAGES = 2000;

/** Gives free pages at the end of the file back to the disk; none in a file that was made before this was foreseen. */
export function shrinkSqlite(database: DatabaseSync): void {
  // A prepared statement would stop after the first page.
  translateFailure(() => database.exec(`pragma incremental_vacuum(${PAGES})`));
}

/** How many statements are kept prepared; the store has some fifty, and more where they have lists of any length. */
const STATEMENTS = 200;

function adaptSqlite(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (sql) => {
      // A full disk makes SQLite roll back by itself; a second rollback would hide why.
      if (sql === 'rollback' && !database.isTransaction) return nothingToDo;
      const statement = prepared.get(sql) ?? translateFailure(() => prepare(database, sql));
      prepared.delete(sql);
      prepared.set(sql, statement);
      // The one that was used longest ago goes.
      for (const oldest of prepared.keys()) if (prepared.size > STATEMENTS) prepared.delete(oldest);
      return statement;
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
