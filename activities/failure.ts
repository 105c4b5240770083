import { ApplicationFailure } from '@temporalio/activity';
import { DocklineError, failures } from '../src/domain/errors.ts';
import type { ActivityDeps } from './ports.ts';

/**
 * The one translation of errors for Temporal: the failure's type is the literal code, and the wait before the next attempt
 * is what the other side asked for (capped) or what the kind of failure calls for. Anything unnamed passes as it is.
 */
export function toFailure(error: unknown, retry: ActivityDeps['retry']): unknown {
  if (!(error instanceof DocklineError)) return error;
  const kind = failures[error.code];
  const waitMs = error.retryAfterMs ?? (kind === 'slowly' ? retry.slowMs : undefined);
  return ApplicationFailure.create({
    type: error.code,
    message: error.message,
    nonRetryable: kind === 'never',
    ...(error.cause instanceof Error && { cause: error.cause }),
    ...(waitMs !== undefined && { nextRetryDelay: Math.min(waitMs, Math.max(retry.retryAfterCapMs, retry.slowMs)) }),
  });
}
