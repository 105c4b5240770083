import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { migrate } from '../migrations/migrations.ts';
import type { Database } from '../schema.ts';
import { createGroupCommit, type Durably } from './group-commit.ts';
import { openPool, type PoolLimits } from './postgres.ts';
import { openSqlite, shrinkSqlite, sqliteDialect, syncedCommits } from './sqlite.ts';

/** The ways to one database, kept apart so that none of their users starves another; with SQLite they are the same. */
export interface Connections {
  /** For all that can wait a little. What is written with it may be lost with the machine, and then only the newest of it. */
  readonly db: Kysely<Database>;
  /** For what else must not be lost: a transaction. */
  readonly durably: Durably<Transaction<Database>>;
  /** For the webhook's writes alone. */
  readonly intake: Durably<Kysely<Database>>;
  /** Gives some of what was deleted back to the disk, where the database does not use it again by itself. */
  shrink(): void;
  close(): Promise<void>;
}

/** Opens a SQLite file, created with its folder and brought up to date as needed. @throws DocklineError `ERR_STORE_UNAVAILABLE` */
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
    close: () => db.destroy(),
  };
}

const limits = {
  // Another process may be migrating, and a new index takes its time.
  migrations: { connections: 1, connectMs: 10_000, statementMs: 0, synced: true },
  // The sender waits three seconds. One transaction at a time writes; the second connection is for the probe.
  intake: { connections: 2, connectMs: 1000, statementMs: 1500, synced: true },
  db: { connections: 20, connectMs: 5000, statementMs: 30_000, synced: false },
} as const satisfies Record<string, PoolLimits>;

/** Connects to PostgreSQL and brings the database up to date as needed. @throws DocklineError `ERR_STORE_UNAVAILABLE` */
export async function connectToPostgres(url: string): Promise<Connections> {
  const open = (pool: PoolLimits) =>
    new Kysely<Database>({ dialect: new PostgresDialect({ pool: openPool(url, pool) }) });
  const migrations = open(limits.migrations);
  try {
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
    close: async () => void (await Promise.all([db, intake].map((pool) => pool.destroy()))),
  };
}

/** The address without what it says of the user. */
function nameOf(url: string): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: 'in PostgreSQL', pathname: '' };
  return `${host}${pathname}`;
}
