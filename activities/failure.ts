import { ApplicationFailure } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, failures, messageOf } from '../src/domain/errors.ts';
import { retryPolicy } from '../src/domain/retry-policy.ts';
import type { ActivityDeps, Troubles } from './ports/deps.ts';

/** Returns the wait that a failure asks for, in milliseconds: the other side's (capped), or that of its kind. */
export function askedWait(error: unknown, { slowMs, retryAfterCapMs }: ActivityDeps['retry']): number | undefined {
  if (!(error instanceof DocklineError)) return undefined;
  if (error.retryAfterMs !== undefined) return Math.min(error.retryAfterMs, Math.max(retryAfterCapMs, slowMs));
  return failures[error.code] === 'slowly' ? slowMs : undefined;
}

/** Returns the wait after an attempt, counted from 1, in milliseconds: the failure's own, or else Temporal's backoff. */
export function waitAfter(error: unknown, attempt: number, longestMs: number, retry: ActivityDeps['retry']): number {
  const { initialIntervalMs, backoffCoefficient } = retryPolicy;
  const backoffMs = initialIntervalMs * backoffCoefficient ** Math.min(attempt - 1, 30);
  return askedWait(error, retry) ?? Math.min(longestMs, backoffMs);
}

/**
 * Translates an error for Temporal: the type of the failure is the literal code. Returns any error that is not a `DocklineError`
 * unchanged.
 */
export function toFailure(error: unknown, waitMs: number | undefined, details: readonly unknown[] = []): unknown {
  if (!(error instanceof DocklineError)) return error;
  return ApplicationFailure.create({
    type: error.code,
    message: error.message,
    nonRetryable: failures[error.code] === 'never',
    ...(error.cause instanceof Error && { cause: error.cause }),
    ...(waitMs !== undefined && { nextRetryDelay: waitMs }),
    ...(details.length > 0 && { details: [...details] }),
  });
}

/** Records an activity that failed and will be retried, for people to see; ignores an unavailable store. */
export async function noteFailure(
  { troubles }: Pick<ActivityDeps, 'troubles'>,
  subject: SubjectRef,
  activity: Parameters<Troubles['note']>[1],
  { error, operation, waitMs }: { readonly error: unknown; readonly operation: string; readonly waitMs: number },
): Promise<void> {
  const trouble = { operation, error: messageOf(error).slice(0, MESSAGE_LIMIT), nextTryAt: Date.now() + waitMs };
  await troubles.note(subject, activity, trouble).catch(() => undefined);
}

const MESSAGE_LIMIT = 500;
