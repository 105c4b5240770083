import { ApplicationFailure } from '@temporalio/activity';
import { describe, expect, it } from 'vitest';
import { toFailure } from '../../activities/failure.ts';
import { DocklineError, type FailureCode, failures } from '../../src/domain/errors.ts';

const retry = { slowMs: 60_000, retryAfterCapMs: 600_000 };

const translate = (code: FailureCode, retryAfterMs?: number) => {
  const failure = toFailure(new DocklineError(code, 'GET /orders/1 answered so', { retryAfterMs }), retry);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  return failure as ApplicationFailure;
};

describe('a failure of an activity', () => {
  it.each<[FailureCode, boolean, number | undefined]>([
    ['ERR_WAREHOUSE_UNREACHABLE', false, undefined],
    ['ERR_WAREHOUSE_RATE_LIMITED', false, undefined],
    ['ERR_WAREHOUSE_FAILED', false, undefined],
    ['ERR_WAREHOUSE_UNREADABLE', false, 60_000],
    ['ERR_WAREHOUSE_UNAUTHENTICATED', false, 60_000],
    ['ERR_WAREHOUSE_FORBIDDEN', false, 60_000],
    ['ERR_WAREHOUSE_NOT_FOUND', true, undefined],
    ['ERR_WAREHOUSE_REFUSED', true, undefined],
    ['ERR_WAREHOUSE_UNFILTERED', true, undefined],
    ['ERR_DESTINATION_UNREACHABLE', false, undefined],
    ['ERR_DESTINATION_REFUSED', false, undefined],
    ['ERR_DESTINATION_ADDRESS', false, 60_000],
    ['ERR_STORE_UNAVAILABLE', false, undefined],
  ])('%s has its code as type; final: %s; pause: %s ms', (code, nonRetryable, nextRetryDelay) => {
    expect(translate(code)).toMatchObject({ type: code, nonRetryable, message: 'GET /orders/1 answered so' });
    expect(translate(code).nextRetryDelay ?? undefined).toBe(nextRetryDelay);
  });

  it('is told of for every code', () => {
    expect(Object.keys(failures)).toHaveLength(13);
  });

  it('waits as long as the other side asked, up to the cap', () => {
    expect(translate('ERR_WAREHOUSE_RATE_LIMITED', 2000).nextRetryDelay).toBe(2000);
    expect(translate('ERR_WAREHOUSE_RATE_LIMITED', 86_400_000).nextRetryDelay).toBe(600_000);
    expect(translate('ERR_WAREHOUSE_FORBIDDEN', 1000).nextRetryDelay).toBe(1000);
  });

  it('that has no name passes as it is, and Temporal tries again', () => {
    const error = new TypeError('a mistake of ours');
    expect(toFailure(error, retry)).toBe(error);
  });
});
