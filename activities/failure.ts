import { ApplicationFailure } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, failures } from '../src/domain/errors.ts';
import { retryPolicy } from '../src/domain/retry-policy.ts';
import type { ActivityDeps, Troubles } from './ports.ts';

/** What an error asks to wait before the next attempt, in milliseconds: what the other side said (capped), or what the kind of failure calls for. */
export function askedWait(error: unknown, { slowMs, retryAfterCapMs }: ActivityDeps['retry']): number | undefined {
  if (!(error instanceof DocklineError)) return undefined;
  if (error.retryAfterMs !== undefined) return Math.min(error.retryAfterMs, Math.max(retryAfterCapMs, slowMs));
  return failures[error.code] === 'slowly' ? slowMs : undefined;
}

/** The wait after an attempt, the first being 1, in milliseconds: what the error asks for, or else Temporal's own. */
export function waitAfter(error: unknown, attempt: number, longestMs: number, retry: ActivityDeps['retry']): number {
  const { initialIntervalMs, backoffCoefficient } = retryPolicy;
  const backoffMs = initialIntervalMs * backoffCoefficient ** Math.min(attempt - 1, 30);
  return askedWait(error, retry) ?? Math.min(longestMs, backoffMs);
}

/**
 * The one translation of errors for Temporal: the failure's type is the literal code, its details what is known besides. Anything
 * unnamed passes as it is.
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

/** Tells operators of an activity that failed and will be tried again, as far as the store can be reached. */
export async function noteFailure(
  { troubles }: Pick<ActivityDeps, 'troubles'>,
  subject: SubjectRef,
  activity: Parameters<Troubles['note']>[1],
  { error, operation, waitMs }: { readonly error: unknown; readonly operation: string; readonly waitMs: number },
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  const trouble = { operation, error: message.slice(0, MESSAGE_LIMIT), nextTryAt: Date.now() + waitMs };
  await troubles.note(subject, activity, trouble).catch(() => undefined);
}

const MESSAGE_LIMIT = 500;
