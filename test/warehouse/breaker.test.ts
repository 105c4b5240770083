import { describe, expect, it } from 'vitest';
import { DocklineError } from '../../src/domain/errors.ts';
import { createBreaker } from '../../src/warehouse/breaker.ts';

const users = { tenant: '1', operation: 'getUser' } as const;
const forbidden = new DocklineError('ERR_WAREHOUSE_FORBIDDEN', 'GET /uiproperties/users/958774116 answered 403', {
  status: 403,
});
const failed = () => new DocklineError('ERR_WAREHOUSE_FAILED', 'GET answered 503', { status: 503 });
const limited = (retryAfterMs: number) =>
  new DocklineError('ERR_WAREHOUSE_RATE_LIMITED', 'answered 429', { retryAfterMs });

/** A breaker at a time that the test sets. */
function open() {
  const clock = { time: 1_000_000 };
  const breaker = createBreaker({ slowMs: 60_000, retryAfterCapMs: 600_000, now: () => clock.time });
  return { clock, ...breaker };
}

describe('an operation', () => {
  it('that a role does not allow is left alone until a person may have acted, and only that of the tenant', () => {
    const { clock, failed: fail, reason } = open();
    expect(fail(users, forbidden)).toBe(true);
    expect(reason(users)).toBe('not called, because a moment ago another getUser was answered 403');
    expect(reason({ ...users, tenant: '2' })).toBeUndefined();
    expect(reason({ ...users, operation: 'getCustomer' })).toBeUndefined();
    clock.time += 60_000;
    expect(reason(users)).toBeUndefined();
  });

  it('that fails is left alone for five seconds from the third failure in a row on', () => {
    const { clock, failed: fail, succeeded, reason } = open();
    expect([fail(users, failed()), fail(users, failed())]).toEqual([false, false]);
    succeeded(users);
    expect([fail(users, failed()), fail(users, failed()), fail(users, failed())]).toEqual([false, false, true]);
    expect(reason(users)).toMatch(/503/);
    clock.time += 5000;
    expect(reason(users)).toBeUndefined();
    expect(fail(users, failed())).toBe(true);
  });

  it('counts a failure once that several share', () => {
    const { failed: fail } = open();
    const shared = failed();
    expect([1, 2, 3].map(() => fail(users, shared))).toEqual([false, false, false]);
    expect([fail(users, failed()), fail(users, failed())]).toEqual([false, true]);
  });

  it.each([
    [7000, 7000],
    [86_400_000, 600_000],
    [Number.POSITIVE_INFINITY, 600_000],
  ])('whose rate limit asks for %i ms is left alone for %i ms', (askedMs, waitMs) => {
    const { clock, failed: fail, reason } = open();
    expect(fail(users, limited(askedMs))).toBe(true);
    clock.time += waitMs - 1;
    expect(reason(users)).toBeDefined();
    clock.time += 1;
    expect(reason(users)).toBeUndefined();
  });

  it('is left alone no shorter because a Retry-After asks for less', () => {
    const { failed: fail, reason } = open();
    const impatient = (code: 'ERR_WAREHOUSE_FAILED' | 'ERR_WAREHOUSE_FORBIDDEN') =>
      new DocklineError(code, 'answered so', { retryAfterMs: 0 });
    const failures = [1, 2, 3].map(() => fail(users, impatient('ERR_WAREHOUSE_FAILED')));
    expect([failures, reason(users)]).toEqual([[false, false, true], expect.any(String)]);
    const customers = { ...users, operation: 'getCustomer' } as const;
    expect([fail(customers, impatient('ERR_WAREHOUSE_FORBIDDEN')), reason(customers)]).toEqual([
      true,
      expect.any(String),
    ]);
  });
});

describe('what was tried in the task of a workflow and failed', () => {
  it('is left alone for five seconds at once: the retrievals of a tenant, and each of its destinations', () => {
    const { clock, open: fail, isOpen } = open();
    const circuits = [
      { tenant: '1', operation: 'retrieve' },
      { tenant: '2', operation: 'retrieve' },
      { tenant: '1', operation: 'announce to a' },
      { tenant: '1', operation: 'announce to b' },
      { tenant: '2', operation: 'announce to a' },
    ] as const;
    fail(circuits[0]);
    clock.time += 4999;
    expect(circuits.map(isOpen)).toEqual([true, false, false, false, false]);
    fail(circuits[2]);
    clock.time += 1;
    expect(circuits.map(isOpen)).toEqual([false, false, true, false, false]);
    clock.time += 4999;
    expect(circuits.map(isOpen)).toEqual([false, false, false, false, false]);
  });
});
