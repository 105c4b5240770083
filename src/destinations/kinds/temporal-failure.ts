import { status } from '@grpc/grpc-js';
import { isGrpcServiceError } from '@temporalio/client';
import { DocklineError, reasonOf } from '../../domain/errors.ts';

/** As google.rpc.Code maps gRPC to HTTP statuses. */
export const answers = {
  success: 200,
  noWorker: 503,
} as const;

const httpStatuses: ReadonlyMap<status, number> = new Map([
  [status.INVALID_ARGUMENT, 400],
  [status.FAILED_PRECONDITION, 400],
  [status.OUT_OF_RANGE, 400],
  [status.UNAUTHENTICATED, 401],
  [status.PERMISSION_DENIED, 403],
  [status.NOT_FOUND, 404],
  [status.ALREADY_EXISTS, 409],
  [status.ABORTED, 409],
  [status.RESOURCE_EXHAUSTED, 429],
  [status.INTERNAL, 500],
  [status.UNKNOWN, 500],
  [status.DATA_LOSS, 500],
  [status.UNIMPLEMENTED, 501],
]);

export const isAnswer = (error: unknown): boolean => isGrpcServiceError(error) && httpStatuses.has(error.code);

/** They are a verdict on one signal, such as an id that is too long. */
const verdicts: ReadonlySet<status> = new Set([status.INVALID_ARGUMENT, status.OUT_OF_RANGE, status.ALREADY_EXISTS]);

/** By the limit of a payload, or of all messages. */
export const isTooLarge = (error: unknown): boolean =>
  isGrpcServiceError(error) &&
  ((error.code === status.INVALID_ARGUMENT && /exceeds (size )?limit/i.test(error.details)) ||
    (error.code === status.RESOURCE_EXHAUSTED && /larger than max/.test(error.details)));

/** Its id may not be used again. */
export const isClosed = (error: unknown): boolean => isGrpcServiceError(error) && error.code === status.ALREADY_EXISTS;

export const isGone = (error: unknown): boolean => isGrpcServiceError(error) && error.code === status.NOT_FOUND;

/** Names neither the API key nor the content of the signal. */
export function explain(error: unknown, name: string): DocklineError {
  if (!isGrpcServiceError(error)) return unreachable(name, reasonOf(error), error);
  const httpStatus = httpStatuses.get(error.code);
  if (httpStatus === undefined) return unreachable(name, error.details.replace(/\.? Resolution note:.*$/s, ''), error);
  const code = verdicts.has(error.code) || isTooLarge(error) ? 'ERR_DESTINATION_REFUSED' : 'ERR_DESTINATION_FAILED';
  return new DocklineError(code, `${name} failed: ${error.details}`, { status: httpStatus });
}

const unreachable = (name: string, reason: string, cause: unknown): DocklineError =>
  new DocklineError('ERR_DESTINATION_UNREACHABLE', `${name} failed: ${reason}`, { cause });
