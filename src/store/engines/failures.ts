import pg from 'pg';
import { DocklineError } from '../../domain/errors.ts';

/** Result code of SQLite: another process has the file. */
export const BUSY = 5;

/** Primary result codes of SQLite that mean "not now" rather than a mistake in a statement. */
const unavailableCodes = new Set([
  BUSY,
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
  26, // NOTADB
]);

/** Runs a call of SQLite. A failure that is not the statement's own is thrown as `ERR_STORE_UNAVAILABLE`. */
export function translateSqliteFailure<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const code = resultCode(error);
    throw code !== undefined && unavailableCodes.has(code) ? unavailable('SQLite', error as Error) : error;
  }
}

/** Returns the primary result code of a failure of SQLite; undefined for any other error. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

/**
 * SQLSTATEs of PostgreSQL that mean "not now", whole classes by their first two characters. Class 40 is missing because a
 * deadlock is over when the statement is retried.
 */
const unavailableStates = new Set([
  '08', // connection
  '28', // authorization
  '3D', // no such database
  '53', // out of disk, memory or connections
  '57', // shutting down, starting up, canceled
  '58', // system error
  'XX', // internal error, such as a corrupted page
  '25006', // read-only, as after a failover
  '25P03', // idle in a transaction for too long
  '25P04', // transaction took too long
  '55P03', // lock not available
]);

/** Reports whether a failure of PostgreSQL or its driver is not the statement's own. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error;
    return unavailableStates.has(code) || unavailableStates.has(code.slice(0, 2));
  }
  // Errors that do not come from the server concern the connection, except for a parameter that cannot be sent.
  return error instanceof Error && !(error instanceof TypeError);
}

/** Returns `ERR_STORE_UNAVAILABLE` for a failure of PostgreSQL that is not the statement's own, and any other as it is. */
export function translatePostgresFailure(error: unknown): unknown {
  if (!isUnavailable(error) || error instanceof DocklineError) return error;
  return unavailable('PostgreSQL', error as Error);
}

const unavailable = (engine: string, cause: Error): DocklineError =>
  new DocklineError('ERR_STORE_UNAVAILABLE', `${engine}: ${describe(cause)}`, { cause });

/** An error for several refused addresses has no message of its own. */
const describe = (error: Error): string =>
  error.message || ('code' in error && typeof error.code === 'string' ? error.code : error.name);
