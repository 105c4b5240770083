import { status } from '@grpc/grpc-js';
import { isGrpcServiceError } from '@temporalio/client';
import { DocklineError, reasonOf } from '../../domain/errors.ts';

/** Answers of a Temporal server as HTTP statuses, which is how google.rpc.Code maps those of gRPC. */
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

/** Statuses that are a verdict on one signal, such as an id that is too long. */
const verdicts: ReadonlySet<status> = new Set([status.INVALID_ARGUMENT, status.OUT_OF_RANGE, status.ALREADY_EXISTS]);

/** Reports whether the server refused a message for its size: by the limit of a payload, or by that of all messages. */
export const isTooLarge = (error: unknown): boolean =>
  isGrpcServiceError(error) &&
  ((error.code === status.INVALID_ARGUMENT && /exceeds (size )?limit/i.test(error.details)) ||
    (error.code === status.RESOURCE_EXHAUSTED && /larger than max/.test(error.details)));

/** Reports whether the workflow has ended, and its id may not be used again. */
export const isClosed = (error: unknown): boolean => isGrpcServiceError(error) && error.code === status.ALREADY_EXISTS;

export const isGone = (error: unknown): boolean => isGrpcServiceError(error) && error.code === status.NOT_FOUND;

/** Returns the failure of a call, in words that name neither the API key nor the content of the signal. */
export function explain(error: unknown, name: string): DocklineError {
  if (!isGrpcServiceError(error)) return unreachable(name, reasonOf(error), error);
  const httpStatus = httpStatuses.get(error.code);
  if (httpStatus === undefined) return unreachable(name, error.details.replace(/\.? Resolution note:.*$/s, ''), error);
  const code = verdicts.has(error.code) || isTooLarge(error) ? 'ERR_DESTINATION_REFUSED' : 'ERR_DESTINATION_FAILED';
  return new DocklineError(code, `${name} failed: ${error.details}`, { status: httpStatus });
}

const unreachable = (name: string, reason: string, cause: unknown): DocklineError =>
  new DocklineError('ERR_DESTINATION_UNREACHABLE', `${name} failed: ${reason}`, { cause });
