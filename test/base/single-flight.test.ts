import { expect, it } from 'vitest';
import { singleFlight } from '../../src/base/loop.ts';

/** Shares a value whose computations the test ends one by one; each counts on. */
function open() {
  const running: PromiseWithResolvers<number>[] = [];
  const shared = singleFlight(50, () => {
    const computation = Promise.withResolvers<number>();
    running.push(computation);
    return computation.promise;
  });
  const end = (count: number) => running[count - 1]?.resolve(count);
  return { ...shared, running, end };
}

it('a value is computed once for all who ask', async () => {
  const { read, end, running } = open();
  const values = [read(), read()];
  end(1);
  expect(await Promise.all([...values, read()])).toEqual([1, 1, 1]);
  expect(running).toHaveLength(1);
});

it('a value that expires while it is computed is computed again afterwards, for those who asked since', async () => {
  const { read, end, expire, running } = open();
  const before = read();
  expire();
  const after = [read(), read()];
  expect(running).toHaveLength(1);
  end(1);
  await expect.poll(() => running.length).toBe(2);
  end(2);
  expect([await before, await Promise.all(after)]).toEqual([1, [2, 2]]);
  expect(running).toHaveLength(2);
});

it('a value becomes old', async () => {
  const { read, end, running } = open();
  const first = read();
  end(1);
  await first;
  await expect.poll(() => read() !== first).toBe(true);
  expect(running).toHaveLength(2);
});

it('a failure is told to those who asked, and to nobody else', async () => {
  const { read, end, running } = open();
  const failing = [read(), read()];
  running[0]?.reject(new Error('away'));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = read();
  end(2);
  expect(await next).toBe(2);
});
