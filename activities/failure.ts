import { ApplicationFailure } from '@temporalio/activity';
import { cut } from '../src/base/text.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, failures, messageOf } from '../src/domain/errors.ts';
import type { GetResult } from '../src/domain/lifecycle/gets.ts';
import { retryPolicy, withJitter } from '../src/domain/retry-policy.ts';
import type { ActivityFailures } from '../src/subjects/tables/activity-failures.ts';
import type { ActivityDeps } from './ports/deps.ts';

/** Returns the wait that the other side asked for with a `Retry-After`, in milliseconds, up to the cap; 0 if it asked for none. */
export const askedWait = (error: unknown, { retryAfterCapMs }: ActivityDeps['retry']): number =>
  error instanceof DocklineError ? Math.min(error.retryAfterMs ?? 0, retryAfterCapMs) : 0;

/**
 * Returns the wait after an attempt, counted from 1, in milliseconds: that of the failure's kind or the backoff; a longer one if the other
 * side asked for it, never a shorter one. Jitter comes on top.
 */
export function waitAfter(error: unknown, attempt: number, longestMs: number, retry: ActivityDeps['retry']): number {
  const { initialIntervalMs, backoffCoefficient } = retryPolicy;
  const backoffMs = Math.min(longestMs, initialIntervalMs * backoffCoefficient ** Math.min(attempt - 1, 30));
  const isSlow = error instanceof DocklineError && failures[error.code] === 'slowly';
  return withJitter(Math.max(isSlow ? retry.slowMs : backoffMs, askedWait(error, retry)), retry.random);
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
  { activityFailures }: Pick<ActivityDeps, 'activityFailures'>,
  subject: SubjectRef,
  activity: Parameters<ActivityFailures['note']>[1],
  {
    error,
    operation,
    waitMs,
    gets,
  }: {
    readonly error: unknown;
    readonly operation: string;
    readonly waitMs: number;
    readonly gets?: readonly GetResult[];
  },
): Promise<void> {
  const failure = {
    operation,
    error: cut(messageOf(error), MESSAGE_LIMIT),
    ...(error instanceof DocklineError && { code: error.code, ...(error.status && { status: error.status }) }),
    nextTryAt: Date.now() + waitMs,
    gets,
  };
  await activityFailures.note(subject, activity, failure).catch(() => undefined);
}

const MESSAGE_LIMIT = 500;
