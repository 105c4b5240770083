import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, sql, type Transaction } from 'kysely';
import { migrate } from '../migrations/migrations.ts';
import type { Database } from '../schema.ts';
import { createGroupCommit, type Durably } from './group-commit.ts';
import { assertDurable, type PoolLimits, postgresDialect } from './postgres.ts';
import { backUpSqlite, openSqlite, shrinkSqlite, sqliteDialect, syncedCommits } from './sqlite.ts';

/** Connections to one database, separated so that no use starves another; with SQLite they share one connection. */
export interface Connections {
  /** General use. The newest commits may be lost if the machine fails. */
  readonly db: Kysely<Database>;
  /** Runs a durable transaction. */
  readonly durably: Durably<Transaction<Database>>;
  /** Runs durable writes of the webhook alone: transactions, or on PostgreSQL statements that evaluate `durable`. */
  readonly intake: Durably<Kysely<Database>>;
  /** Returns disk space after deletions where the database does not reuse it by itself. */
  shrink(): void;
  /** Copies the database, as of one moment, to a new file while it is in use; undefined for PostgreSQL, which has programs for that. */
  readonly backUp: ((file: string) => Promise<void>) | undefined;
  close(): Promise<void>;
}

/** Opens a SQLite file; creates it with its folder and migrates it as needed. @throws DocklineError `ERR_STORE_UNAVAILABLE` */
export async function connectToSqlite(file: string): Promise<Connections> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = openSqlite(file);
  const db = new Kysely<Database>({ dialect: sqliteDialect(database) });
  try {
    await migrate(db, file);
  } catch (error) {
    database.close();
    throw error;
  }
  const intake = syncedCommits(db);
  return {
    ...{ db, intake, durably: createGroupCommit(intake) },
    shrink: () => shrinkSqlite(database),
    backUp: (file) => backUpSqlite({ db, database }, file),
    close: () => db.destroy(),
  };
}

const limits = {
  // Another process may be migrating, and creating an index takes time.
  migrations: { connections: 1, connectMs: 10_000, statementMs: 0, synced: true },
  // Senders time out after three seconds. Transactions run one at a time; the second connection is for the probe.
  intake: { connections: 2, connectMs: 1000, statementMs: 1500, synced: true },
  db: { connections: 20, connectMs: 5000, statementMs: 30_000, synced: false },
} as const satisfies Record<string, PoolLimits>;

/**
 * Connects to PostgreSQL, directly or through a pooler that lends a session for each transaction, and migrates the database as needed.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` also if commits cannot be durable there
 */
export async function connectToPostgres(url: string): Promise<Connections> {
  const open = (pool: PoolLimits) => new Kysely<Database>({ dialect: postgresDialect(url, pool) });
  const migrations = open(limits.migrations);
  try {
    await assertDurable(migrations, nameOf(url));
    await migrate(migrations, nameOf(url));
  } finally {
    await migrations.destroy();
  }
  const [db, intake] = [open(limits.db), open(limits.intake)];
  return {
    db,
    durably: (write) =>
      db.transaction().execute(async (transaction) => {
        await sql`set local synchronous_commit = on`.execute(transaction);
        return write(transaction);
      }),
    intake: (write) => write(intake),
    shrink() {},
    backUp: undefined,
    close: async () => void (await Promise.all([db, intake].map((pool) => pool.destroy()))),
  };
}

/** Returns the address without its credentials. */
function nameOf(url: string): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: 'in PostgreSQL', pathname: '' };
  return `${host}${pathname}`;
}
