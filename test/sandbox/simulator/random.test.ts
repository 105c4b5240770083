import { expect, it } from 'vitest';
import { createStream } from '../../../sandbox/simulator/random.ts';

const draw = (seed: number, name: string) => {
  const stream = createStream(seed, name);
  return Array.from({ length: 20 }, () => stream.between(0, 1_000_000));
};

it('a stream depends on its seed and name alone', () => {
  expect(draw(1, 'order 1')).toEqual(draw(1, 'order 1'));
  expect(draw(1, 'order 1')).not.toEqual(draw(1, 'order 2'));
  expect(draw(1, 'order 1')).not.toEqual(draw(2, 'order 1'));
});

it('a chance of 0 never comes and one of 1 always does', () => {
  const stream = createStream(1, 'chances');
  const draws = (rate: number) => new Set(Array.from({ length: 1000 }, () => stream.chance(rate)));
  expect(draws(0)).toEqual(new Set([false]));
  expect(draws(1)).toEqual(new Set([true]));
  expect(draws(0.5).size).toBe(2);
});

it('a pick returns every choice', () => {
  const stream = createStream(1, 'choices');
  expect(new Set(Array.from({ length: 100 }, () => stream.pick(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
});
