import { ApplicationFailure } from '@temporalio/activity';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { askedWait, noteFailure, toFailure, waitAfter } from '../../activities/failure.ts';
import { DocklineError, type FailureCode, failures } from '../../src/domain/errors.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { orderOf } from '../support/make.ts';
import { troubleOf } from './deps.ts';

const retry = { slowMs: 60_000, retryAfterCapMs: 600_000, random: () => 0 };

const errorOf = (code: FailureCode, retryAfterMs?: number) =>
  new DocklineError(code, 'GET /orders/1 answered so', { retryAfterMs });

const translate = (code: FailureCode) => {
  const failure = toFailure(errorOf(code), 7000);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  return failure as ApplicationFailure;
};

describe('a failure of an activity', () => {
  it.each<[FailureCode, boolean]>([
    ['ERR_WAREHOUSE_UNREACHABLE', false],
    ['ERR_WAREHOUSE_RATE_LIMITED', false],
    ['ERR_WAREHOUSE_FAILED', false],
    ['ERR_WAREHOUSE_UNREADABLE', false],
    ['ERR_WAREHOUSE_TOKEN', false],
    ['ERR_WAREHOUSE_UNAUTHENTICATED', false],
    ['ERR_WAREHOUSE_FORBIDDEN', false],
    ['ERR_WAREHOUSE_NOT_YET', false],
    ['ERR_WAREHOUSE_BUSY', false],
    ['ERR_WAREHOUSE_NOT_FOUND', true],
    ['ERR_WAREHOUSE_REFUSED', true],
    ['ERR_WAREHOUSE_TOO_LARGE', true],
    ['ERR_WAREHOUSE_UNEXPECTED', true],
    ['ERR_WAREHOUSE_UNFILTERED', true],
    ['ERR_DESTINATION_UNREACHABLE', false],
    ['ERR_DESTINATION_FAILED', false],
    ['ERR_DESTINATION_REFUSED', false],
    ['ERR_DESTINATION_ADDRESS', false],
    ['ERR_DESTINATION_UNKNOWN', false],
    ['ERR_STORE_UNAVAILABLE', false],
  ])('%s has its code as type; final: %s', (code, nonRetryable) => {
    const message = 'GET /orders/1 answered so';
    expect(translate(code)).toMatchObject({ type: code, nonRetryable, message, nextRetryDelay: 7000 });
  });

  it('is covered for every code', () => {
    expect(Object.keys(failures)).toHaveLength(20);
  });

  it('carries what is known besides', () => {
    const details = [{ calls: [] }];
    expect(toFailure(errorOf('ERR_WAREHOUSE_FAILED'), undefined, details)).toMatchObject({ details });
  });

  it('that has no name passes as it is, and Temporal tries again', () => {
    const error = new TypeError('a mistake of ours');
    expect(toFailure(error, 7000)).toBe(error);
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
    expect(waitAfter(errorOf('ERR_WAREHOUSE_FAILED'), attempt, 'retrieve', retry)).toBe(waitMs);
    expect(waitAfter(new TypeError('a mistake of ours'), attempt, 'retrieve', retry)).toBe(waitMs);
  });

  it.each<[FailureCode, number]>([
    ['ERR_WAREHOUSE_FORBIDDEN', 60_000],
    ['ERR_WAREHOUSE_UNAUTHENTICATED', 60_000],
    ['ERR_DESTINATION_ADDRESS', 60_000],
    ['ERR_DESTINATION_UNREACHABLE', 300_000],
  ])('is that of its kind: %s, %i ms', (code, waitMs) => {
    expect(waitAfter(errorOf(code), 20, 'retrieve', retry)).toBe(waitMs);
  });

  it.each<[string, FailureCode, number, number]>([
    ['0', 'ERR_WAREHOUSE_FAILED', 4, 8000],
    ['less than our own', 'ERR_DESTINATION_FAILED', 4, 8000],
    ['less than our own of a failure that a person has to mend', 'ERR_WAREHOUSE_FORBIDDEN', 1, 60_000],
  ])('is not shortened by a Retry-After: %s', (_, code, attempt, waitMs) => {
    for (const askedMs of [0, 500]) expect(waitAfter(errorOf(code, askedMs), attempt, 'retrieve', retry)).toBe(waitMs);
  });

  it.each([
    [7000, 7000],
    [86_400_000, 600_000],
    [Number.POSITIVE_INFINITY, 600_000],
  ])('is lengthened by a Retry-After up to the cap: of %d ms to %i ms', (askedMs, waitMs) => {
    for (const code of ['ERR_DESTINATION_FAILED', 'ERR_WAREHOUSE_RATE_LIMITED'] as const)
      expect(waitAfter(errorOf(code, askedMs), 1, 'retrieve', retry)).toBe(waitMs);
    expect(askedWait(errorOf('ERR_WAREHOUSE_FAILED', askedMs), retry)).toBe(waitMs);
  });

  it('is up to a fifth longer, at random', () => {
    const waits = Array.from({ length: 50 }, () =>
      waitAfter(errorOf('ERR_WAREHOUSE_FAILED'), 4, 'retrieve', { ...retry, random: Math.random }),
    );
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(8000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(9600);
    expect(new Set(waits).size).toBeGreaterThan(10);
  });
});

describe('the record of a failure', () => {
  const order = orderOf('31004581');
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
      operation: 'getOrder',
      error: 'x'.repeat(500),
      at: now + 2000,
      since: now,
      attempts: 2,
      nextTryAt: now + 4000,
    });
    expect(await troubleOf(store, order, 'announcing')).toBeNull();
  });

  it('is skipped if the store is unavailable, without a failure of its own', async () => {
    const store = await openTemporaryStore();
    await store.close();
    await noteFailure(store, order, 'retrieving', failed);
  });
});
