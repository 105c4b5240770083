import { expect, it } from 'vitest';
import { createRateLimit } from '../../src/http/peers.ts';

it('the limit applies to each key and minute', () => {
  let time = 5_000_000;
  const limit = createRateLimit(2, () => time);
  expect([limit('a'), limit('a'), limit('a'), limit('b')]).toEqual([undefined, undefined, 60, undefined]);
  time += 59_001;
  expect([limit('a'), limit('b'), limit('b')]).toEqual([1, undefined, 1]);
  time += 998;
  expect(limit('a')).toBe(1);
  time += 1;
  expect([limit('a'), limit('a'), limit('a')]).toEqual([undefined, undefined, 60]);
});
