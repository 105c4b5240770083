/**
 * The wait that a `Retry-After` header asks for, in milliseconds from `now`; undefined where it is missing or makes no
 * sense. Takes seconds and HTTP dates (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(header: string | string[] | undefined, now = Date.now()): number | undefined {
  const value = String(header ?? '').trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
