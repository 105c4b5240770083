import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isUnavailable, translatePostgresFailure } from './failures.ts';

/** Limits and durability of a connection pool. Times are in milliseconds; 0 means no limit. */
export interface PoolLimits {
  readonly connections: number;
  /** Timeout for a connection. */
  readonly connectMs: number;
  /** Timeout for a statement. */
  readonly statementMs: number;
  /** Acknowledges a commit only once it is durable, whatever the server's default. */
  readonly synced: boolean;
}

const INT8 = 20;

/** Reads 64-bit integers as numbers: times and counts are below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Ends the session of a process that vanished or hangs, which rolls back its transaction and releases its row locks. */
const SESSION = `set idle_in_transaction_session_timeout = '60s';
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`;

/**
 * Opens a lazy connection pool for Kysely's PostgreSQL dialect. Failures that are not the statement's own are
 * `ERR_STORE_UNAVAILABLE`, and their connection is discarded.
 */
export function openPool(url: string, { connections, connectMs, statementMs, synced }: PoolLimits): PostgresPool {
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
    onConnect: (client) => client.query(`${SESSION}; set synchronous_commit = ${synced ? 'on' : 'off'}`),
  });
  // Without a listener, an idle connection that fails would end the process; its next statement reports the failure.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return adaptClient(await pool.connect());
      } catch (error) {
        throw translatePostgresFailure(error);
      }
    },
  };
}

function adaptClient(client: pg.PoolClient): PostgresPoolClient {
  let isBroken = false;

  async function query(statement: string, parameters: readonly unknown[]): Promise<unknown> {
    // The server rolls back when the connection is lost; an error from the rollback would hide the cause.
    if (isBroken && statement === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
    try {
      return await client.query(statement, parameters.map(withoutNul));
    } catch (error) {
      isBroken ||= isUnavailable(error);
      if (isBroken && statement === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] };
      throw translatePostgresFailure(error);
    }
  }

  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isBroken),
  };
}

/** Replaces U+0000, which PostgreSQL cannot store as text: a row with one would fail forever. */
const withoutNul = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value);
