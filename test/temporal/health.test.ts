import { expect, it } from 'vitest';
import { createTemporalReading } from '../../src/temporal/pollers.ts';

/** Opens a reading of a Temporal that is away or there, by a clock in milliseconds. */
function open() {
  const world = { at: 0, isAway: false, reads: 0 };
  const look = createTemporalReading({
    read: async () => {
      world.reads += 1;
      return world.isAway ? { part: 'Temporal' } : undefined;
    },
    now: () => world.at,
    monotonicNow: () => world.at,
  });
  return { world, look };
}

it('whoever asks about Temporal seldom is told of now, not of the last time', async () => {
  const { world, look } = open();
  expect(await look()).toBeUndefined();
  Object.assign(world, { isAway: true, at: 300_000 });
  expect(await look()).toMatchObject({ part: 'Temporal', since: 300_000 });
  Object.assign(world, { isAway: false, at: 600_000 });
  expect(await look()).toBeUndefined();
});

it('whoever asks about Temporal often waits for no answer, and does not ask it each time', async () => {
  const { world, look } = open();
  await look();
  Object.assign(world, { isAway: true, at: 3_000 });
  expect(await look()).toBeUndefined();
  expect(world.reads).toBe(1);
  world.at = 5_000;
  expect(await look()).toBeUndefined();
  expect(await look()).toMatchObject({ part: 'Temporal' });
  expect(world.reads).toBe(2);
});
