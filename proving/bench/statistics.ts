/** Returns the value below which a share of all values lies; 0 for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Returns the middle value, or the mean of the two middle values; 0 for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}

/** Returns the arithmetic mean; 0 for no values. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Figure measured once per round. */
export interface Measured {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** In the order of the rounds. */
  readonly rounds: readonly number[];
}

/** Summarizes the figures of all rounds. */
export const summarize = (rounds: readonly number[]): Measured => ({
  median: median(rounds),
  min: Math.min(...rounds),
  max: Math.max(...rounds),
  rounds,
});

/** Returns the median of the ratios taken within each round; null where the baseline did not run. */
export const medianRatio = (ours: readonly number[], baseline: readonly number[]): number | null =>
  ours.length > 0 && baseline.length === ours.length
    ? median(ours.map((value, round) => value / (baseline[round] ?? Number.NaN)))
    : null;

/** Formats a number with about three significant digits; a dash where there is none. */
export function format(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '—';
  const maximumFractionDigits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits });
}
