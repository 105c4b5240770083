import { expect, it } from 'vitest';
import { watchStolenTime } from './stolen-time.ts';

/** What a system tells at one moment after the other. */
const telling = (...stats: readonly string[]) => {
  const left = stats.values();
  return () => left.next().value ?? '';
};

it('stolen time is a share of what was wanted, idle time and waiting for the disk aside', () => {
  const share = watchStolenTime(
    telling('cpu  10 1 5 900 20 0 1 3 0 0\ncpu0 1 1 1 1', 'cpu  70 11 20 5900 920 1 4 33 60 0\n'),
  );
  // 60 + 10 + 15 + 1 + 3 ticks were used, 30 were stolen.
  expect(share()).toBeCloseTo(30 / 119);
});

it.each([
  ['the system does not tell', ''],
  ['the system tells too little', 'cpu  1 2 3 4 5 6 7\n'],
  ['nothing ran', 'cpu  1 2 3 4 5 6 7 8\n'],
])('is unknown where %s', (_case, stat) => {
  expect(watchStolenTime(telling(stat, stat))()).toBeNull();
});

it.runIf(process.platform === 'linux')('is known on Linux, between none and all', () => {
  const share = watchStolenTime();
  // Long enough for a tick.
  const until = performance.now() + 100;
  while (performance.now() < until);
  expect(share()).toSatisfy((value) => value >= 0 && value <= 1);
});
