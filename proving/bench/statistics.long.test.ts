import { expect, it } from 'vitest';
import { format, mean, median, medianRatio, quantile, summarize } from './statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

it('a median is the middle value, or the mean of the two middle values', () => {
  expect([[10, 9, 1], [10, 1, 2, 4], [7], []].map(median)).toEqual([9, 3, 7, 0]);
});

it('a quantile has its share of all values below it', () => {
  expect([0, 0.5, 0.99, 1].map((share) => quantile(hundred, share))).toEqual([1, 51, 100, 100]);
  expect([quantile([1, 2, 3], 0.5), quantile([7], 0.99), quantile([], 0.99)]).toEqual([2, 7, 0]);
});

it('a mean of no values is 0', () => {
  expect([mean([1, 2, 6]), mean([])]).toEqual([3, 0]);
});

it('a summary has the median, the extremes and the rounds in their order', () => {
  expect(summarize([10, 9, 100])).toEqual({ median: 10, min: 9, max: 100, rounds: [10, 9, 100] });
});

it('ratios are taken within a round, and are null without a baseline', () => {
  // 5, 3 and 2.
  expect(medianRatio([50, 60, 80], [10, 20, 40])).toBe(3);
  expect([medianRatio([50], []), medianRatio([], [])]).toEqual([null, null]);
});

it('a number is formatted with about three digits, and as a dash where there is none', () => {
  expect([12_345.6, 23.456, 0.3456, null, Number.NaN].map(format)).toEqual(['12,346', '23.5', '0.35', '—', '—']);
});
