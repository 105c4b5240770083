/** Backoff between the attempts of an activity, as Temporal computes it: from one second, doubling. */
export const retryPolicy = { initialIntervalMs: 1000, backoffCoefficient: 2 } as const;

/** Longest backoffs, in milliseconds. */
export const longestWaitMs = { retrieve: 300_000, announce: 900_000, store: 30_000 } as const;

/**
 * Parses the wait that a `Retry-After` header asks for, as seconds or as an HTTP date (RFC 9110, 10.2.3). Returns milliseconds;
 * undefined if the header is missing or unreadable.
 */
export function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  const value = String(header ?? '').trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
