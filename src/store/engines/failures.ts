import pg from 'pg';
import { DocklineError } from '../../domain/errors.ts';

/** Result code: another process has the file. */
export const BUSY = 5;

/** Result codes about a statement and its values; all others mean "not now". */
const ownCodes = new Set([
  1, // ERROR, also for malformed JSON
  18, // TOOBIG
  19, // CONSTRAINT
  20, // MISMATCH
  21, // MISUSE
  25, // RANGE
]);

/** A failure that is not the statement's own is thrown as `ERR_STORE_UNAVAILABLE`. */
export function translateSqliteFailure<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const code = resultCode(error);
    throw code !== undefined && !ownCodes.has(code) ? unavailable('SQLite', error as Error) : error;
  }
}

export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

/** SQLSTATE classes about a statement's values. All others may pass, also those about tables and rights (42). */
const verdicts = new Set([
  '21', // two rows with one key
  '22', // a value that its type does not have
  '23', // a constraint
  '54', // too large, as for an index
]);

const stateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? (error.code ?? '') : undefined;

export function isUnavailable(error: unknown): boolean {
  const state = stateOf(error);
  if (state !== undefined) return !verdicts.has(state.slice(0, 2));
  // Errors that do not come from the server concern the connection, except for a parameter that cannot be sent.
  return error instanceof Error && !(error instanceof TypeError);
}

export const isMistake = (error: unknown): boolean => stateOf(error)?.startsWith('42') ?? false;

/** An earlier statement of the transaction failed. */
export const isAborted = (error: unknown): boolean => stateOf(error) === '25P02';

export const isContention = (error: unknown): boolean => ['40001', '40P01'].includes(stateOf(error) ?? '');

export function translatePostgresFailure(error: unknown): unknown {
  if (!isUnavailable(error) || error instanceof DocklineError) return error;
  return unavailable('PostgreSQL', error as Error);
}

const unavailable = (engine: string, cause: Error): DocklineError =>
  new DocklineError('ERR_STORE_UNAVAILABLE', `${engine}: ${describe(cause)}`, { cause });

/** Several refused addresses make an error without a message. */
const describe = (error: Error): string =>
  error.message || ('code' in error && typeof error.code === 'string' ? error.code : error.name);
