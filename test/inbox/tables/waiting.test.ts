import { describe, expect, it } from 'vitest';
import { createWaitingCount } from '../../../src/inbox/tables/waiting.ts';

/** Creates a count that is answered by hand; the first is 5. */
function createCounting() {
  const asked: PromiseWithResolvers<number>[] = [];
  const count = async () => {
    if (asked.length === 0) {
      asked.push(Promise.withResolvers());
      return 5;
    }
    const answer = Promise.withResolvers<number>();
    asked.push(answer);
    return await answer.promise;
  };
  return { count, asked };
}

describe('the count of waiting rows', () => {
  it('follows the commits of this process and is never negative', async () => {
    const waiting = await createWaitingCount({ count: async () => 5, isShared: false });
    waiting.change(2);
    expect(waiting.value()).toBe(7);
    waiting.change(-9);
    expect(waiting.value()).toBe(0);
  });

  it('is refreshed if others write, without losing rows added meanwhile', async () => {
    const { count, asked } = createCounting();
    const waiting = await createWaitingCount({ count, isShared: true });
    expect(waiting.value()).toBe(5);
    await expect.poll(() => [waiting.value(), asked.length]).toEqual([5, 2]);
    waiting.change(3);
    asked[1]?.resolve(100);
    await expect.poll(waiting.value).toBe(103);
    expect(asked).toHaveLength(2);
  });

  it('keeps its last value while a refresh fails, and is refreshed again', async () => {
    const { count, asked } = createCounting();
    const waiting = await createWaitingCount({ count, isShared: true });
    await expect.poll(() => [waiting.value(), asked.length]).toEqual([5, 2]);
    asked[1]?.reject(new Error('away'));
    await expect.poll(() => [waiting.value(), asked.length]).toEqual([5, 3]);
    asked[2]?.resolve(1);
    await expect.poll(waiting.value).toBe(1);
  });
});
