import { expect, it } from 'vitest';
import { createStandingCounts } from '../../../src/store/listings/bounded-count.ts';

it('a count beyond the limit stands for five seconds, and every other is made anew', async () => {
  let now = 0;
  let made = 0;
  const standing = createStandingCounts(() => now);
  const count = (key: string, isMore: boolean) =>
    standing(key, async () => {
      made += 1;
      return { count: made, isMore, since: null };
    });
  expect((await count('few', false)).count).toBe(1);
  expect((await count('few', false)).count).toBe(2);
  expect((await count('many', true)).count).toBe(3);
  now = 4999;
  expect((await count('many', true)).count).toBe(3);
  expect((await count('few', true)).count).toBe(4);
  now = 5000;
  expect((await count('many', false)).count).toBe(5);
  expect((await count('many', false)).count).toBe(6);
});
