const HOUR_MS = 3_600_000;
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

/** Runs by the orders that a facility usually ships in each hour of the week: at night it hardly moves. One busy hour is 1. */
export class WorkClock {
  readonly #rates: readonly number[];
  /** From the beginning of the week to that of each hour, and to its end. */
  readonly #sums: readonly number[];

  constructor(shippedAt: readonly number[]) {
    const counts = new Array<number>(HOURS_OF_WEEK).fill(0);
    for (const at of shippedAt) {
      const hour = Math.floor(at / HOUR_MS) % HOURS_OF_WEEK;
      counts[hour] = (counts[hour] ?? 0) + 1;
    }
    const busy = Math.max(1, counts.toSorted((a, b) => b - a)[Math.floor(HOURS_OF_WEEK * BUSIER)] ?? 1);
    this.#rates = counts.map((count) => Math.max(LEAST, count / busy));
    let sum = 0;
    this.#sums = [0, ...this.#rates.map((rate) => (sum += rate))];
  }

  between(from: number, to: number): number {
    return this.#doneBy(to) - this.#doneBy(from);
  }

  isResting(at: number): boolean {
    return (this.#rates[Math.floor(at / HOUR_MS) % HOURS_OF_WEEK] ?? 0) < BUSIER;
  }

  after(from: number, work: number): number {
    const done = this.#doneBy(from) + work;
    const weeks = Math.floor(done / this.#week);
    const left = done - weeks * this.#week;
    const hour = Math.min(HOURS_OF_WEEK, countUpTo(this.#sums, left)) - 1;
    const part = (left - (this.#sums[hour] ?? 0)) / (this.#rates[hour] ?? 1);
    return Math.round((weeks * HOURS_OF_WEEK + hour + part) * HOUR_MS);
  }

  get #week(): number {
    return this.#sums[HOURS_OF_WEEK] ?? 1;
  }

  #doneBy(time: number): number {
    const hours = Math.floor(time / HOUR_MS);
    const hour = hours % HOURS_OF_WEEK;
    const part = (this.#rates[hour] ?? 0) * (time / HOUR_MS - hours);
    return Math.floor(hours / HOURS_OF_WEEK) * this.#week + (this.#sums[hour] ?? 0) + part;
  }
}
