import { readWrittenTime, utcOf } from './written-time.ts';

/** Units of a duration, in milliseconds. */
export const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a time such as `2026-02-11T10:00Z` or `2026-02-11`, or an age such as `90m`, `2h` or `3d`, into milliseconds since the epoch; NaN if it is neither. */
export function parseMoment(text: string, now: number): number {
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  if (amount) return new Date(now - Number(amount) * unitsMs[unit as keyof typeof unitsMs]).getTime();
  const written = readWrittenTime(text);
  return written ? utcOf(written) : Number.NaN;
}
