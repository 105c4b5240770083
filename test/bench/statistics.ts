/** The value below which a share of all lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** The value in the middle, or the mean of the two that are. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}

/** The sum to the number of values; 0 of none. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** A figure that was measured several times. */
export interface Measured {
  readonly median: number;
  /** Smallest and largest. */
  readonly min: number;
  readonly max: number;
}

/** The median of several measurements, with their spread. */
export function summarize(values: readonly number[]): Measured {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
