import { HOUR_MS } from '../../base/moment.ts';

const HOURS_OF_WEEK = 168;

/** Share of a week's hours that are busier than the one that counts as busy. */
const BUSIER = 0.1;

/** Share of an hour's usual work that every hour does, so that the clock never stands still. */
const LEAST = 0.001;

/** Numbers that are no more than `most`. */
export function countUpTo(sorted: readonly number[], most: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type WorkClock = ReturnType<typeof workClock>;

/** Runs by the orders that a facility usually ships in each hour of the week: at night it hardly moves. One busy hour is 1. */
export function workClock(shippedAt: readonly number[]) {
  const counts = new Array<number>(HOURS_OF_WEEK).fill(0);
  for (const at of shippedAt) {
    const hour = Math.floor(at / HOUR_MS) % HOURS_OF_WEEK;
    counts[hour] = (counts[hour] ?? 0) + 1;
  }
  const busy = Math.max(1, counts.toSorted((a, b) => b - a)[Math.floor(HOURS_OF_WEEK * BUSIER)] ?? 1);
  const rates = counts.map((count) => Math.max(LEAST, count / busy));
  let week = 0;
  // From the beginning of the week to that of each hour, and to its end.
  const sums = [0, ...rates.map((rate) => (week += rate))];
  const doneBy = (time: number) => {
    const hours = Math.floor(time / HOUR_MS);
    const hour = hours % HOURS_OF_WEEK;
    const part = (rates[hour] ?? 0) * (time / HOUR_MS - hours);
    return Math.floor(hours / HOURS_OF_WEEK) * week + (sums[hour] ?? 0) + part;
  };
  return {
    between: (from: number, to: number): number => doneBy(to) - doneBy(from),
    isResting: (at: number): boolean => (rates[Math.floor(at / HOUR_MS) % HOURS_OF_WEEK] ?? 0) < BUSIER,
    after(from: number, work: number): number {
      const done = doneBy(from) + work;
      const weeks = Math.floor(done / week);
      const left = done - weeks * week;
      const hour = Math.min(HOURS_OF_WEEK, countUpTo(sums, left)) - 1;
      const part = (left - (sums[hour] ?? 0)) / (rates[hour] ?? 1);
      return Math.round((weeks * HOURS_OF_WEEK + hour + part) * HOUR_MS);
    },
  };
}
