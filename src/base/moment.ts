interface WrittenTime {
  /** `2026-02-13` */
  readonly day: string;
  /** `15:30:00.063` */
  readonly clock?: string;
  /** `Z` or `-06:00` */
  readonly offset?: string;
}

const NOTATION =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<minute>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<second>[0-5]\d)(?:[.,](?<fraction>\d+))?)?(?: ?(?<offset>Z|[+-]\d{2}(?::?[0-5]\d)?))?)?$/i;

const FURTHEST_HOURS = 14;

/** `2026-02-13`, `2026-02-13T15:30`, `2026-02-13 15:30:00.0630000`, with `Z`, `-06:00`, `-0600` or `-06`. Undefined for any other. */
export function readWrittenTime(text: string): WrittenTime | undefined {
  const { day, minute, second = '00', fraction = '', offset } = NOTATION.exec(text)?.groups ?? {};
  if (day === undefined || !isDay(day)) return undefined;
  if (minute === undefined) return { day };
  const clock = `${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  if (offset === undefined) return { day, clock };
  return Math.abs(Number(offset.slice(1, 3))) <= FURTHEST_HOURS || /z/i.test(offset)
    ? { day, clock, offset: wholeOffset(offset.toUpperCase()) }
    : undefined;
}

/** Date rolls a day that does not exist over to the next month. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

const wholeOffset = (offset: string): string =>
  offset === 'Z' ? offset : `${offset.slice(0, 3)}:${offset.replace(':', '').slice(3) || '00'}`;

/** UTC unless it says otherwise; a day is its beginning. */
export const utcOf = ({ day, clock = '00:00:00.000', offset = 'Z' }: WrittenTime): number =>
  Date.parse(`${day}T${clock}${offset}`);

/** Systems write a date without a time as midnight. */
export const isWholeDay = ({ clock = '00:00:00.000' }: WrittenTime): boolean => clock === '00:00:00.000';

/** Ten years; Temporal rejects much longer timers. */
export const LONGEST_TIMER_MS = 315_360_000_000;

export const HOUR_MS = 3_600_000;

export const DAY_MS = 24 * HOUR_MS;

export const unitsMs = { m: 60_000, h: HOUR_MS, d: DAY_MS } as const;

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
