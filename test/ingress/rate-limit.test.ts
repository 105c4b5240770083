import { expect, it } from 'vitest';
import { createRateLimit } from '../../src/ingress/rate-limit.ts';

it('so many pass in a minute, each key for itself, and then again', () => {
  let time = 5_000_000;
  const limit = createRateLimit({ requestsPerMinute: 2, now: () => time });
  expect([limit('a'), limit('a'), limit('a'), limit('b')]).toEqual([undefined, undefined, 60, undefined]);
  time += 59_001;
  expect([limit('a'), limit('b'), limit('b')]).toEqual([1, undefined, 1]);
  time += 998;
  expect(limit('a')).toBe(1);
  time += 1;
  expect([limit('a'), limit('a'), limit('a')]).toEqual([undefined, undefined, 60]);
});
