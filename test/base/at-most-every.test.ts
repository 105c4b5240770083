import { expect, it } from 'vitest';
import { atMostEvery } from '../../src/base/loop.ts';

it('calls that follow one another too soon are dropped, counted from the last that was passed on', () => {
  const passed: number[] = [];
  let time = 0;
  const call = atMostEvery(
    1000,
    (at: number) => void passed.push(at),
    () => time,
  );
  for (time of [0, 1, 999, 1000, 1999, 2500]) call(time);
  expect(passed).toEqual([0, 1000, 2500]);
});
