import { expect, it } from 'vitest';
import { createSlots } from '../../../src/warehouse/client/pace.ts';

it('a slot that becomes free while it is counted is waited for without a time, not for less than none', async () => {
  let time = 0;
  let passes = 0;
  const now = () => {
    time += passes;
    return time;
  };
  const slots = createSlots({ perSecond: 1, shared: undefined, now });
  const turn = await slots.take();
  if (typeof turn === 'number') throw new Error('the first call waits');
  turn.begin();
  turn.answered();
  // A second passes at each reading of the clock: the slot is counted as used, and free when the wait is computed.
  passes = 1000;
  expect([await slots.take(), time > 1050]).toEqual([0, true]);
});
