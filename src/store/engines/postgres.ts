import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isUnavailable, translatePostgresFailure } from './postgres-failure.ts';

/** How many connections are kept, how long anything may take, in milliseconds (0 is for ever), and how sure a commit is. */
export interface PoolLimits {
  readonly connections: number;
  /** Until there is a connection. */
  readonly connectMs: number;
  /** Until a statement has answered. */
  readonly statementMs: number;
  /** Whether a commit is on the disk before it is acknowledged, whatever the server's default. */
  readonly synced: boolean;
}

const INT8 = 20;

/** Times and counts are below 2^53, so they are read as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** A process that vanished or stands still is noticed, so that its claims end with its connections. */
const SESSION = `set idle_in_transaction_session_timeout = '60s';
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`;

/**
 * Connections to PostgreSQL as Kysely's dialect expects them, made when they are needed. Failures for reasons outside a statement
 * are `ERR_STORE_UNAVAILABLE`, and a connection that had one is not used again.
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
  // A connection that fails while nobody waits for its answer would end the process; its next statement tells of it.
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
    // Without its connection a transaction is rolled back by the server; a failure to say so would hide why.
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

/** Text of PostgreSQL cannot hold U+0000, and a row with one would fail for ever. */
const withoutNul = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value);
