import { describe, expect, it } from 'vitest';
import { mean, median, quantile, summarize } from './statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe('the median', () => {
  it('of an odd number of values is the one in the middle, however they are sorted', () => {
    expect(median([10, 9, 1])).toBe(9);
  });

  it('of an even number is the mean of the two in the middle', () => {
    expect(median([10, 1, 2, 4])).toBe(3);
  });

  it('of one value is that value, of none 0', () => {
    expect(median([7])).toBe(7);
    expect(median([])).toBe(0);
  });
});

describe('a quantile', () => {
  it('has its share of all values below it', () => {
    expect(quantile(hundred, 0.99)).toBe(100);
    expect(quantile(hundred, 0.5)).toBe(51);
    expect(quantile([1, 2, 3], 0.5)).toBe(2);
  });

  it('of nothing is the smallest value, of everything the largest', () => {
    expect(quantile(hundred, 0)).toBe(1);
    expect(quantile(hundred, 1)).toBe(100);
  });

  it('of one value is that value, of none 0', () => {
    expect(quantile([7], 0.99)).toBe(7);
    expect(quantile([], 0.99)).toBe(0);
  });
});

it('the mean is the sum to the number of values, of none 0', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBe(0);
});

it('a summary has the median, the smallest and the largest, and leaves the values as they are', () => {
  const values = [10, 9, 100];
  expect(summarize(values)).toEqual({ median: 10, min: 9, max: 100 });
  expect(values).toEqual([10, 9, 100]);
});
