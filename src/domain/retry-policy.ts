/** The first, and the longest that it doubles to. */
export const backoffs = {
  retrieve: { firstMs: 1000, longestMs: 300_000 },
  announce: { firstMs: 1000, longestMs: 900_000 },
  store: { firstMs: 1000, longestMs: 30_000 },
  dispatch: { firstMs: 100, longestMs: 10_000 },
  alert: { firstMs: 15_000, longestMs: 600_000 },
} as const;

export type Backoff = keyof typeof backoffs;

/** After an attempt, counted from 1. */
export const backoffMs = (of: Backoff, attempt: number): number =>
  Math.min(backoffs[of].longestMs, backoffs[of].firstMs * 2 ** Math.min(attempt - 1, 30));

export const retryOf = (of: Backoff) => ({
  initialInterval: backoffs[of].firstMs,
  backoffCoefficient: 2,
  maximumInterval: backoffs[of].longestMs,
});

/** Random part of a wait at most, so that processes which failed together do not retry together. */
const JITTER = 0.2;

export const withJitter = (waitMs: number, random: () => number = Math.random): number =>
  Math.round(waitMs * (1 + JITTER * random()));

/** RFC 9110, 10.2.3: seconds or a date; of several headers the longest. In milliseconds; undefined if missing or unreadable. */
export function parseRetryAfter(header: string | readonly string[] | undefined): number | undefined {
  const waits = [header ?? []].flat().flatMap((value) => parseWait(value.trim()) ?? []);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

function parseWait(value: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  if (!HTTP_DATE.test(value)) return undefined;
  // One of the three forms of a date names no zone, and would be read as local time.
  const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** RFC 9110, 5.6.7. `Date.parse` alone reads a date out of almost any text. */
const HTTP_DATE =
  /^[A-Z][a-z]+(, \d\d( [A-Z][a-z]{2} \d{4}|-[A-Z][a-z]{2}-\d\d) \d\d:\d\d:\d\d GMT| [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;
