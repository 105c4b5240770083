import { DocklineError } from '../../domain/errors.ts';

/** SQLite's primary result codes that mean "not now" rather than a mistake in a statement. */
const unavailable = new Set([
  5, // BUSY
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

/** Runs a call of SQLite, whose failures for reasons outside the statement become `ERR_STORE_UNAVAILABLE`. */
export function translateFailure<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const code = resultCode(error);
    if (code === undefined || !unavailable.has(code)) throw error;
    throw new DocklineError('ERR_STORE_UNAVAILABLE', `SQLite: ${(error as Error).message}`, { cause: error });
  }
}

/** The primary result code of a failure of SQLite, or undefined for another error. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}
