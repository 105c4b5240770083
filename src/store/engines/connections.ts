import { dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type Dialect, Kysely, sql, type Transaction } from 'kysely';
import { makeFolder } from '../../forms/files.ts';
import { migrate } from '../migrations/migrations.ts';
import type { Database } from '../schema.ts';
import { assertUsable, type PoolLimits, PostgresDatabase, postgresDialect } from './postgres.ts';
import {
  createRunEach,
  lockSqlite,
  openSqlite,
  type RunEach,
  shrinkSqlite,
  sqliteDialect,
  syncedCommits,
} from './sqlite.ts';
import { threadedDialect } from './threaded-queries.ts';

/** Separated so that no use starves another; with SQLite all that write share one. */
export interface Connections {
  /** The newest commits may be lost if the machine fails. */
  readonly db: Kysely<Database>;
  /** For people and metrics; with SQLite in a thread, so that no webhook waits for them. */
  readonly reads: Kysely<Database>;
  readonly durably: Writing<Transaction<Database>>;
  /** For many small writes: on SQLite in one commit with those of the same turn, since a commit costs more than they do. */
  readonly together: Writing<Kysely<Database>>;
  /** Durable writes of the webhook alone: transactions, or on PostgreSQL statements that evaluate `durable`. */
  readonly intake: Writing<Kysely<Database>>;
  /** Undefined for PostgreSQL, where each row would take a round trip. */
  readonly runEach: RunEach | undefined;
  /** Returns disk space after deletions where the database does not reuse it. */
  shrink(): void;
  close(): Promise<void>;
}

/** Creates and migrates it as needed. @throws DocklineError `ERR_STORE_UNAVAILABLE` */
export async function connectToSqlite(file: string): Promise<Connections> {
  const isFile = file !== ':memory:';
  await using opened = new AsyncDisposableStack();
  if (isFile) {
    makeFolder(dirname(file));
    opened.use(lockSqlite(file));
  }
  const database = openSqlite(file);
  const open = (dialect: Dialect) => opened.adopt(new Kysely<Database>({ dialect }), (it) => it.destroy());
  const db = open(sqliteDialect(database));
  await migrate(db, file);
  const intake = syncedCommits({ db, database });
  const connections = {
    db,
    intake,
    durably: createGroupCommit(intake),
    together: createGroupCommit<Database>((write) => write(db)),
    reads: isFile ? open(threadedDialect(file)) : db,
    runEach: createRunEach(database),
    shrink: () => shrinkSqlite(database),
  };
  const closing = opened.move();
  return { ...connections, close: () => closing.disposeAsync() };
}

const limits = {
  // Another process may be migrating, and creating an index takes time.
  migrations: { connections: 1, connectMs: 10_000, statementMs: 0, synced: true },
  // Senders time out after three seconds. Transactions run one at a time; the second connection is for the probe.
  intake: { connections: 2, connectMs: 1000, statementMs: 1500, synced: true },
  db: { connections: 20, connectMs: 5000, statementMs: 30_000, synced: false },
  // People wait for these, and some of them at a time.
  reads: { connections: 5, connectMs: 5000, statementMs: 10_000, synced: false },
} as const satisfies Record<string, PoolLimits>;

/** `readers` limits connections for people's queries, `patience` multiplies limits of time. @throws DocklineError `ERR_STORE_UNAVAILABLE` */
export async function connectToPostgres(
  url: string,
  {
    connections = limits.db.connections,
    readers = limits.reads.connections,
    patience = 1,
  }: { readonly connections?: number; readonly readers?: number; readonly patience?: number } = {},
): Promise<Connections> {
  const open = (pool: PoolLimits): Kysely<Database> => {
    const times = { connectMs: patience * pool.connectMs, statementMs: patience * pool.statementMs };
    return new PostgresDatabase<Database>({ dialect: postgresDialect(url, { ...pool, ...times }) });
  };
  const migrations = open(limits.migrations);
  try {
    await assertUsable(migrations, nameOf(url));
    await migrate(migrations, nameOf(url));
  } finally {
    await migrations.destroy();
  }
  const pools = {
    db: open({ ...limits.db, connections }),
    reads: open({ ...limits.reads, connections: readers }),
    intake: open(limits.intake),
  };
  const { db, reads, intake } = pools;
  return {
    db,
    reads,
    durably: (write) =>
      db.transaction().execute(async (transaction) => {
        await sql`set local synchronous_commit = on`.execute(transaction);
        return write(transaction);
      }),
    together: (write) => write(db),
    intake: (write) => write(intake),
    runEach: undefined,
    shrink() {},
    close: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.destroy()))),
  };
}

function nameOf(url: string): string {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: 'in PostgreSQL', pathname: '' };
  return `${host}${pathname}`;
}

type Writing<Db> = <T>(write: (db: Db) => Promise<T>) => Promise<T>;

interface Pending<Schema> {
  write(transaction: Transaction<Schema>): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 50;

/** Those that arrive in the same turn, or while others commit, share the next commit. */
function createGroupCommit<Schema>(connect: Writing<Kysely<Schema>>): Writing<Transaction<Schema>> {
  const pending: Pending<Schema>[] = [];
  let isCommitting = false;

  async function commitAll(): Promise<void> {
    isCommitting = true;
    while (pending.length > 0) {
      await turn();
      await commit(pending.splice(0, MAX_BATCH));
    }
    isCommitting = false;
  }

  async function commit(batch: readonly Pending<Schema>[]): Promise<void> {
    try {
      // One after the other, since they share the transaction.
      const runAll = (transaction: Transaction<Schema>) => Array.fromAsync(batch, ({ write }) => write(transaction));
      const results = await connect((db) => db.transaction().execute(runAll));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
    } catch (error) {
      // One transaction that fails must not fail the others.
      if (batch.length > 1) for (const one of batch) await commit([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  return <T>(write: (transaction: Transaction<Schema>) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      pending.push({ write, resolve: resolve as (result: unknown) => void, reject });
      if (!isCommitting) void commitAll();
    });
}
