import { readWrittenTime, utcOf } from './written-time.ts';

export const DAY_MS = 86_400_000;

export const unitsMs = { m: 60_000, h: 3_600_000, d: DAY_MS } as const;

/** A time such as `2026-02-11T10:00Z` or `2026-02-11`, or an age such as `90m`, `2h` or `3d`; NaN for neither. */
export function parseMoment(text: string, now: number): number {
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  if (amount) return new Date(now - Number(amount) * unitsMs[unit as keyof typeof unitsMs]).getTime();
  const written = readWrittenTime(text);
  return written ? utcOf(written) : Number.NaN;
}

interface Clock {
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
  readonly namesZone?: boolean;
}

/** Without its day if that is today: `10:35 PM CST`, `Nov 28, 10:35 PM CST`. */
export function clockTime(at: number, { now, timeZone, namesZone = true }: Clock): string {
  const day = (time: number) => new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'short' }).format(time);
  const date = day(at) === day(now) ? {} : ({ month: 'short', day: 'numeric' } as const);
  const zone = namesZone ? ({ timeZoneName: 'short' } as const) : {};
  const format = { timeZone, hour: 'numeric', minute: '2-digit', ...zone, ...date } as const;
  return new Intl.DateTimeFormat('en-US', format).format(at).replaceAll('\u202f', ' ');
}
