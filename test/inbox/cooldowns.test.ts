import { expect, it } from 'vitest';
import { backoffMs } from '../../src/inbox/cooldowns.ts';

it('the backoff doubles from 100 ms to 10 s, with up to 50% jitter', () => {
  const longest = [1, 2, 3, 7, 8, 2000].map((failure) => backoffMs(failure, () => 0));
  expect(longest).toEqual([100, 200, 400, 6400, 10_000, 10_000]);
  expect(backoffMs(1, () => 1)).toBe(50);
});
