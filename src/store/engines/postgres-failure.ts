import pg from 'pg';
import { DocklineError } from '../../domain/errors.ts';

/**
 * The SQLSTATEs that mean "not now" rather than a mistake in a statement, whole classes by their first two characters. Class 40
 * is not among them: a deadlock is over when the statement is tried again at once.
 */
const unavailable = new Set([
  '08', // the connection
  '28', // who may connect
  '3D', // no such database
  '53', // the disk, the memory, the number of connections
  '57', // shutting down, starting up, canceled
  '58', // the system around it
  'XX', // internal, as for a corrupted page
  '25006', // read-only, as after a change of the primary
  '25P03', // idle in a transaction for too long
  '25P04', // too long in a transaction
  '55P03', // a lock that was not to be had
]);

/** Whether a failure of the driver is for reasons outside the statement. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error;
    return unavailable.has(code) || unavailable.has(code.slice(0, 2));
  }
  // What the server did not say is of the way to it, but for a parameter that cannot be sent.
  return error instanceof Error && !(error instanceof TypeError);
}

/** A failure of the driver as `ERR_STORE_UNAVAILABLE` if it is for reasons outside the statement, else as it is. */
export function translatePostgresFailure(error: unknown): unknown {
  if (!isUnavailable(error) || error instanceof DocklineError) return error;
  return new DocklineError('ERR_STORE_UNAVAILABLE', `PostgreSQL: ${describe(error as Error)}`, { cause: error });
}

/** Several addresses that refuse make an error without a message of its own. */
const describe = (error: Error): string =>
  error.message || ('code' in error && typeof error.code === 'string' ? error.code : error.name);
