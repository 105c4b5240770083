import { ApplicationFailure } from '@temporalio/activity';
import { cut } from '../src/base/text.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, failures, messageOf } from '../src/domain/errors.ts';
import { type Backoff, backoffMs, withJitter } from '../src/domain/retry-policy.ts';
import type { ActivityFailures } from '../src/subjects/tables/activity-failures.ts';
import type { ActivityDeps } from './ports/deps.ts';

/** Capped; 0 if the other side asked for none. */
export const askedWait = (error: unknown, { retryAfterCapMs }: ActivityDeps['retry']): number =>
  error instanceof DocklineError ? Math.min(error.retryAfterMs ?? 0, retryAfterCapMs) : 0;

/**
 * Returns the wait after an attempt (counted from 1): that of the failure's kind or the backoff, or a longer one if
 * asked for. Jitter comes on top.
 */
export function waitAfter(error: unknown, attempt: number, backoff: Backoff, retry: ActivityDeps['retry']): number {
  const isSlow = error instanceof DocklineError && failures[error.code] === 'slowly';
  const ownMs = isSlow ? retry.slowMs : backoffMs(backoff, attempt);
  return withJitter(Math.max(ownMs, askedWait(error, retry)), retry.random);
}

/** The failure's type is the error code. Returns an error that is not a `DocklineError` unchanged. */
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

/** Ignores an unavailable store. */
export async function noteFailure(
  { activityFailures }: Pick<ActivityDeps, 'activityFailures'>,
  subject: SubjectRef,
  activity: Parameters<ActivityFailures['note']>[1],
  {
    error,
    waitMs,
    ...call
  }: Pick<Parameters<ActivityFailures['note']>[2], 'operation' | 'destination' | 'gets'> & {
    readonly error: unknown;
    readonly waitMs: number;
  },
): Promise<void> {
  const failure = {
    ...call,
    error: cut(messageOf(error), MESSAGE_LIMIT),
    ...(error instanceof DocklineError && { code: error.code, ...(error.status && { status: error.status }) }),
    nextTryAt: Date.now() + waitMs,
  };
  await activityFailures.note(subject, activity, failure).catch(() => undefined);
}

const MESSAGE_LIMIT = 500;
