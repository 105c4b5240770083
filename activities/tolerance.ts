import type { Operation } from '../src/domain/catalogue/operation.ts';
import { DocklineError, type FailureCode } from '../src/domain/errors.ts';
import type { Refused } from '../src/domain/lifecycle/refusal.ts';
import type { Warehouse } from '../src/warehouse/gets.ts';
import { type Retrieval, RetrievalError } from './retrieval.ts';

/** Failures that concern one operation; any other concerns all. */
const verdicts: { readonly [C in FailureCode]?: 'final' | 'role' | 'outage' } = {
  ERR_WAREHOUSE_NOT_FOUND: 'final',
  ERR_WAREHOUSE_REFUSED: 'final',
  ERR_WAREHOUSE_UNEXPECTED: 'final',
  ERR_WAREHOUSE_TOO_LARGE: 'final',
  ERR_WAREHOUSE_FORBIDDEN: 'role',
  ERR_WAREHOUSE_FAILED: 'outage',
  ERR_WAREHOUSE_RATE_LIMITED: 'outage',
  ERR_WAREHOUSE_UNREACHABLE: 'outage',
  ERR_WAREHOUSE_UNREADABLE: 'outage',
};

/**
 * Fetches the subject itself. After a final answer its events are announced without it (a new subject may still appear
 * within the read lag); after any other failure, only if their messages have it: at once if a role is missing, or once
 * an outage has lasted.
 * @throws RetrievalError to hold the events back
 */
export async function fetchOwn<T>(
  retrieval: Retrieval,
  operation: Operation,
  get: (warehouse: Warehouse) => Promise<T>,
): Promise<T | undefined> {
  const { deps, plan, attempts, call } = retrieval;
  try {
    return await call(operation, get);
  } catch (error) {
    const { verdict, cause } = assess(error);
    const failingMs = Date.now() - Math.min(attempts.since, plan.ownRefusedSince ?? attempts.since);
    const canWait = verdict === 'outage' && failingMs < deps.outageMs;
    if (verdict !== 'final' && (canWait || !plan.isCarried)) throw error;
    if (plan.isNew && !plan.isCarried && isNotFound(cause) && failingMs < deps.readLagMs) throw notYet(error, cause);
    return leaveOut(retrieval, { operation, message: cause.message });
  }
}

/**
 * Fetches a part of announcements, which are composed without it at once, or after one more attempt if that may help.
 * A part that waited too long for its turn comes with a later announcement.
 * @throws RetrievalError for that attempt
 */
export async function fetchPart<T>(
  retrieval: Retrieval,
  part: Pick<Refused, 'id'> & { readonly operation: Operation },
  get: () => Promise<T>,
): Promise<T | undefined> {
  const { subject, attempts } = retrieval;
  const { breaker } = retrieval.deps;
  const key = { tenant: subject.tenant, operation: part.operation };
  const open = breaker.reason(key);
  if (open !== undefined) return leaveOut(retrieval, { ...part, message: open });
  try {
    const got = await get();
    breaker.succeeded(key);
    return got;
  } catch (error) {
    if (isBusy(error)) return leaveOut(retrieval, { ...part, message: error.message });
    const { verdict, cause } = assess(error);
    const isOpen = verdict !== 'final' && breaker.failed(key, cause);
    if (verdict === 'outage' && !isOpen && !attempts.isRetry) throw error;
    return leaveOut(retrieval, { ...part, message: cause.message });
  }
}

/** Its turn did not come. */
export const isBusy = (error: unknown): error is RetrievalError =>
  error instanceof RetrievalError && error.cause instanceof DocklineError && error.cause.code === 'ERR_WAREHOUSE_BUSY';

const isNotFound = ({ code, status }: DocklineError): boolean => code === 'ERR_WAREHOUSE_NOT_FOUND' && status !== GONE;

const GONE = 410;

function notYet(error: unknown, { message, status }: DocklineError): RetrievalError {
  const { operation, calls } = error as RetrievalError;
  const cause = new DocklineError('ERR_WAREHOUSE_NOT_YET', `${message}, which may lag`, status ? { status } : {});
  return new RetrievalError(operation, calls, cause);
}

function assess(error: unknown) {
  const { cause } = error as RetrievalError;
  const verdict = cause instanceof DocklineError ? verdicts[cause.code] : undefined;
  if (!verdict) throw error;
  return { verdict, cause: cause as DocklineError };
}

function leaveOut({ failedGets }: Retrieval, failedGet: Refused): undefined {
  failedGets.push(failedGet);
}
