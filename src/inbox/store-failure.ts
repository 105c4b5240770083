import { DocklineError } from '../domain/errors.ts';

/** Whether the durable rows could not be reached, whatever was asked of them. */
export const isStoreFailure = (error: unknown): boolean =>
  error instanceof DocklineError && error.code === 'ERR_STORE_UNAVAILABLE';
