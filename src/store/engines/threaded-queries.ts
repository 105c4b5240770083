import { platform } from 'node:os';
import { type DatabaseConnection, type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { Piscina } from 'piscina';
import { DocklineError, messageOf } from '../../domain/errors.ts';
import type { Query } from './query-thread.ts';

const IDLE_MS = 60_000;

/** Webhooks go first. Only Linux has a niceness for each thread. */
const NICENESS = platform() === 'linux' ? 10 : 0;

/** One after the other; they see every commit. Whatever fails is `ERR_STORE_UNAVAILABLE`, writes included. */
export function threadedDialect(file: string): Dialect {
  return {
    createDriver: () => {
      const pool = openPool(file);
      const connection = connectionOf(pool);
      return {
        init: async () => {},
        acquireConnection: async () => connection,
        releaseConnection: async () => {},
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        destroy: () => pool.destroy(),
      };
    },
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createAdapter: () => new SqliteAdapter(),
  };
}

type Pool = Piscina<Query, never[]>;

function openPool(file: string): Pool {
  const pool: Pool = new Piscina({
    filename: import.meta.url.replace('threaded-queries', 'query-thread'),
    name: 'runQuery',
    workerData: file,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    niceIncrement: NICENESS,
  });
  // The query that a failing thread ran has the failure; without a listener it would end the process as well.
  pool.on('error', () => {});
  return pool;
}

const connectionOf = (pool: Pool): DatabaseConnection => ({
  async executeQuery({ sql, parameters }) {
    try {
      return { rows: await pool.run({ sql, parameters }) };
    } catch (error) {
      throw new DocklineError('ERR_STORE_UNAVAILABLE', `SQLite: ${messageOf(error)}`, { cause: error });
    }
  },
  streamQuery: () => {
    throw new Error('The thread of queries returns all rows at once');
  },
});

async function refuse(): Promise<never> {
  throw new Error('The thread of queries has no transactions');
}
