/** Writes a number as people compare it, with about three digits; what is no finite number is a dash. */
export const figure = (value: number | null | undefined): string => figureThat(value, () => true);

/** Writes a number with as many more digits as it takes to be judged as it is: 24.99 is not 25. */
export function figureThat(value: number | null | undefined, judge: (written: number) => boolean): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '—';
  const fewest = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const digits = [0, 1, 2, 3]
    .map((more) => fewest + more)
    .find((some) => judge(Number(value.toFixed(some))) === judge(value));
  return value.toLocaleString('en-US', { maximumFractionDigits: digits ?? MOST_DIGITS });
}

const MOST_DIGITS = 10;
