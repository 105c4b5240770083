import { type Dialect, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pRetry from 'p-retry';
import pg from 'pg';
import { DocklineError } from '../../domain/errors.ts';
import { isAborted, isContention, isMistake, isUnavailable, translatePostgresFailure } from './failures.ts';

/** 0 means no limit. */
export interface PoolLimits {
  readonly connections: number;
  readonly connectMs: number;
  readonly statementMs: number;
  /** Commits are durable, whatever the server's default. */
  readonly synced: boolean;
}

/** Outside of a transaction. PostgreSQL reads it at the commit; a setting of the session would be another's behind a pooler. */
export const durable = sql<string>`set_config('synchronous_commit', 'on', true)`;

const INT8 = 20;

/** Times and counts are below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Only in a session of our own: a pooler reports other process ids. The server itself ends statements, also those that wait for a lock. */
const sessionSettings = (
  processId: number,
  { synced, statementMs }: Pick<PoolLimits, 'synced' | 'statementMs'>,
): string => `select set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('statement_timeout', '${statementMs}', false),
  set_config('synchronous_commit', '${synced ? 'on' : 'off'}', false) where pg_backend_pid() = ${processId}`;

/** The server ends a transaction, with its locks, whose process vanished or hangs. Statements are written for this isolation. */
const beginning = (synced: boolean): string =>
  `begin isolation level read committed; set local idle_in_transaction_session_timeout = '60s'${synced ? '; set local synchronous_commit = on' : ''}`;

/** The first run goes without the frame of a retry, which costs as much as a small statement. */
const despiteContention = <T>(run: () => Promise<T>): Promise<T> =>
  run().catch((error: Error) => {
    if (!isContention(error.cause)) throw error;
    return pRetry(run, {
      minTimeout: 10,
      randomize: true,
      retries: 4,
      shouldRetry: ({ error: next }) => isContention(next.cause),
    });
  });

/** Transactions run again after a deadlock, so that what they do besides must bear repetition. */
export class PostgresDatabase<Schema> extends Kysely<Schema> {
  override transaction() {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder) as typeof builder.execute;
    return Object.assign(builder, {
      execute: ((callback) => despiteContention(() => execute(callback))) as typeof execute,
    });
  }
}

export function postgresDialect(url: string, limits: PoolLimits): Dialect {
  const dialect = new PostgresDialect({ pool: openPool(url, limits) });
  // Kysely's lock is a session's: behind a pooler nobody would end it. Migrations take one of their transaction.
  const noLock = { acquireMigrationLock: async () => {}, releaseMigrationLock: async () => {} };
  const adapter = Object.assign(dialect.createAdapter(), noLock);
  return Object.assign(dialect, { createAdapter: () => adapter });
}

/** Lazy. Failures that are not the statement's own are `ERR_STORE_UNAVAILABLE` and discard their connection. */
function openPool(url: string, { connections, connectMs, statementMs, synced }: PoolLimits): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'dockline',
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    onConnect: (client) => client.query(sessionSettings(processIdOf(client), { synced, statementMs })),
  });
  // Without a listener, an idle connection that fails would end the process; its next statement reports the failure.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return adaptClient(await pool.connect(), beginning(synced));
      } catch (error) {
        throw translatePostgresFailure(error);
      }
    },
  };
}

/** Of the server, or a pooler; the driver's types lack it. */
const processIdOf = (client: pg.ClientBase): number => (client as unknown as { readonly processID: number }).processID;

function adaptClient(client: pg.PoolClient, begin: string): PostgresPoolClient {
  let isBroken = false;
  let isInTransaction = false;
  // The first failure of a transaction: the server answers all later statements that it is aborted.
  let cause: unknown;

  async function query(statement: string, parameters: readonly unknown[]): Promise<unknown> {
    // The server rolls back when the connection is lost; an error from the rollback would hide the cause.
    if (isBroken && statement === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    try {
      if (statement === 'begin') return await client.query(begin);
      return await client.query(statement, parameters.map(withoutNul));
    } catch (error) {
      if (isAborted(error) && cause !== undefined) throw cause;
      isBroken ||= isUnavailable(error) && !isContention(error) && !isMistake(error);
      if (isBroken && statement === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
      cause = translatePostgresFailure(error);
      throw cause;
    }
  }

  return {
    query: ((statement: string, parameters: readonly unknown[]) => {
      const isBoundary = /^(begin|commit|rollback)$/.test(statement);
      if (isBoundary) {
        isInTransaction = statement === 'begin';
        cause = undefined;
      }
      const run = () => query(statement, parameters);
      // A second commit would report as done what the first one has rolled back.
      return isInTransaction || isBoundary ? run() : despiteContention(run);
    }) as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isBroken),
  };
}

/** PostgreSQL cannot store U+0000 as text: a row with one would fail for ever. */
const withoutNul = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value);

interface Server {
  readonly syncs: boolean;
  readonly encoding: string;
}

/** @throws DocklineError `ERR_STORE_UNAVAILABLE` with what to do, if commits cannot be durable, or some texts not be stored */
export async function assertUsable<Schema>(db: Kysely<Schema>, name: string): Promise<void> {
  const server = sql<Server>`select current_setting('fsync') = 'on' as "syncs",
    current_setting('server_encoding') as "encoding"`;
  const reason = await server.execute(db).then(
    ({ rows: [found] }) => found && whyUnusable(found),
    (error: Error) => `cannot be reached: ${error.message}`,
  );
  if (reason) throw new DocklineError('ERR_STORE_UNAVAILABLE', `The store ${name} ${reason}`);
}

function whyUnusable({ syncs, encoding }: Server): string | undefined {
  if (!syncs)
    return 'runs with fsync = off, so that a crash of its machine would lose acknowledged webhooks; set fsync = on';
  if (encoding === 'UTF8') return undefined;
  return `has the encoding ${encoding}, which lacks characters of names and addresses; create the database with: create database … encoding 'UTF8' template template0`;
}
