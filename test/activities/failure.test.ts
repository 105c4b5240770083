import { ApplicationFailure } from '@temporalio/activity';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { askedWait, noteFailure, toFailure, waitAfter } from '../../activities/failure.ts';
import { DocklineError, type FailureCode, failures } from '../../src/domain/errors.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { troubleOf } from './deps.ts';

const retry = { slowMs: 60_000, retryAfterCapMs: 600_000 };

const errorOf = (code: FailureCode, retryAfterMs?: number) =>
  new DocklineError(code, 'GET /orders/1 answered so', { retryAfterMs });

const translate = (code: FailureCode, retryAfterMs?: number) => {
  const error = errorOf(code, retryAfterMs);
  const failure = toFailure(error, askedWait(error, retry));
  expect(failure).toBeInstanceOf(ApplicationFailure);
  return failure as ApplicationFailure;
};

describe('a failure of an activity', () => {
  it.each<[FailureCode, boolean, number | undefined]>([
    ['ERR_WAREHOUSE_UNREACHABLE', false, undefined],
    ['ERR_WAREHOUSE_RATE_LIMITED', false, undefined],
    ['ERR_WAREHOUSE_FAILED', false, undefined],
    ['ERR_WAREHOUSE_UNREADABLE', false, undefined],
    ['ERR_WAREHOUSE_TOKEN', false, undefined],
    ['ERR_WAREHOUSE_UNAUTHENTICATED', false, 60_000],
    ['ERR_WAREHOUSE_FORBIDDEN', false, 60_000],
    ['ERR_WAREHOUSE_NOT_YET', false, undefined],
    ['ERR_WAREHOUSE_NOT_FOUND', true, undefined],
    ['ERR_WAREHOUSE_REFUSED', true, undefined],
    ['ERR_WAREHOUSE_TOO_LARGE', true, undefined],
    ['ERR_WAREHOUSE_UNEXPECTED', true, undefined],
    ['ERR_WAREHOUSE_UNFILTERED', true, undefined],
    ['ERR_DESTINATION_UNREACHABLE', false, undefined],
    ['ERR_DESTINATION_FAILED', false, undefined],
    ['ERR_DESTINATION_REFUSED', false, undefined],
    ['ERR_DESTINATION_ADDRESS', false, 60_000],
    ['ERR_STORE_UNAVAILABLE', false, undefined],
  ])('%s has its code as type; final: %s; pause: %s ms', (code, nonRetryable, nextRetryDelay) => {
    expect(translate(code)).toMatchObject({ type: code, nonRetryable, message: 'GET /orders/1 answered so' });
    expect(translate(code).nextRetryDelay ?? undefined).toBe(nextRetryDelay);
  });

  it('is covered for every code', () => {
    expect(Object.keys(failures)).toHaveLength(18);
  });

  it('waits as long as the other side asked, up to the cap', () => {
    expect(translate('ERR_WAREHOUSE_RATE_LIMITED', 2000).nextRetryDelay).toBe(2000);
    expect(translate('ERR_WAREHOUSE_RATE_LIMITED', 86_400_000).nextRetryDelay).toBe(600_000);
    expect(translate('ERR_WAREHOUSE_FORBIDDEN', 1000).nextRetryDelay).toBe(1000);
  });

  it('carries what is known besides', () => {
    const details = [{ calls: [] }];
    expect(toFailure(errorOf('ERR_WAREHOUSE_FAILED'), undefined, details)).toMatchObject({ details });
  });

  it('that has no name passes as it is, and Temporal tries again', () => {
    const error = new TypeError('a mistake of ours');
    expect(toFailure(error, askedWait(error, retry))).toBe(error);
  });
});

describe('the wait after an attempt', () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [6, 32_000],
    [10, 300_000],
    [5000, 300_000],
  ])('number %i that asks for none is that of the retry policy: %i ms', (attempt, waitMs) => {
    expect(waitAfter(errorOf('ERR_WAREHOUSE_FAILED'), attempt, 300_000, retry)).toBe(waitMs);
    expect(waitAfter(new TypeError('a mistake of ours'), attempt, 300_000, retry)).toBe(waitMs);
  });

  it('is the one that the error asks for', () => {
    expect(waitAfter(errorOf('ERR_WAREHOUSE_FORBIDDEN'), 9, 300_000, retry)).toBe(60_000);
    expect(waitAfter(errorOf('ERR_WAREHOUSE_FAILED', 7000), 9, 300_000, retry)).toBe(7000);
  });
});

describe('the record of a failure', () => {
  const order = { tenant: '9104', kind: 'order', id: '31004581' } as const;
  const failed = { error: new Error('x'.repeat(1000)), operation: 'getOrder', waitMs: 2000 };

  it('is the operation, the error in at most 500 characters, since when, how often, and when it is tried again', async () => {
    const now = Date.UTC(2026, 1, 11, 12);
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => void vi.useRealTimers());
    const store = await openTemporaryStore();
    await noteFailure(store, order, 'retrieving', failed);
    vi.setSystemTime(now + 2000);
    await noteFailure(store, order, 'retrieving', failed);
    expect(await troubleOf(store, order, 'retrieving')).toEqual({
      ...{ operation: 'getOrder', error: 'x'.repeat(500), since: now, attempts: 2, nextTryAt: now + 4000 },
    });
    expect(await troubleOf(store, order, 'announcing')).toBeNull();
  });

  it('is skipped if the store is unavailable, without a failure of its own', async () => {
    const store = await openTemporaryStore();
    await store.close();
    await noteFailure(store, order, 'retrieving', failed);
  });
});
