import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseRetryAfter } from '../../src/domain/retry-policy.ts';

const huge = '9'.repeat(400);

describe('a Retry-After', () => {
  it.each<[string, string | string[] | undefined, number | undefined]>([
    ['no header', undefined, undefined],
    ['an empty one', '', undefined],
    ['seconds', '7', 7000],
    ['seconds between spaces', ' 7 ', 7000],
    ['a fraction of a second', '1.5', 1500],
    ['zero', '0', 0],
    ['a number without end', huge, Number.POSITIVE_INFINITY],
    ['a negative number', '-5', undefined],
    ['a number with a sign', '+5', undefined],
    ['a power', '1e9', undefined],
    ['a number in hexadecimal', '0x10', undefined],
    ['a number with a unit', '5 s', undefined],
    ['a date to come', 'Wed, 11 Feb 2026 12:00:30 GMT', 30_000],
    ['a date of RFC 850', 'Wednesday, 11-Feb-26 12:00:30 GMT', 30_000],
    ['a date of asctime, which is UTC', 'Wed Feb 11 12:00:30 2026', 30_000],
    ['a date of asctime with one digit', 'Sun Mar  1 12:00:00 2026', 1_555_200_000],
    ['a date that has passed', 'Wed, 11 Feb 2026 11:59:00 GMT', 0],
    ['a date of long ago', 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['a day that no month has', 'Wed, 45 Feb 2026 12:00:30 GMT', undefined],
    ['a date of another form', '2026-02-11T12:00:30Z', undefined],
    ['a date in another zone', 'Wed, 11 Feb 2026 12:00:30 +0100', undefined],
    ['words', 'soon', undefined],
    ['words with a year', 'maybe in May 2099', undefined],
    ['a list in one header', '3, 5', undefined],
    ['several headers', ['3', '5', 'soon'], 5000],
    ['several headers without a readable one', ['soon', '-1'], undefined],
  ])('that is %s: %j, %d ms', (_, header, waitMs) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 1, 11, 12) });
    onTestFinished(() => void vi.useRealTimers());
    expect(parseRetryAfter(header)).toBe(waitMs);
  });
});
