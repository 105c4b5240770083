import { type Calendar, END_OF_DAY, type weekdays } from '../../../src/domain/deadlines/calendar.ts';

/** Offsets of today's zones are whole quarters of an hour, and so are the clock times of these tests. */
const QUARTER_MS = 900_000;

/** Day as the clocks of a zone show it: each quarter of an hour with its instant, twice or never where the clocks change. */
interface ClockDay {
  readonly date: string;
  readonly weekday: (typeof weekdays)[number];
  readonly quarters: readonly { readonly at: number; readonly clock: string }[];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function read(zone: string, at: number) {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: String(parts.weekday).toLowerCase() as ClockDay['weekday'],
    clock: `${parts.hour}:${parts.minute}`,
  };
}

/** Steps through the quarters of an hour, from the beginning of the day that an instant is on. */
function* daysFrom(zone: string, instant: number): Generator<ClockDay> {
  let at = Math.floor(instant / QUARTER_MS) * QUARTER_MS;
  const { date } = read(zone, at);
  while (read(zone, at - QUARTER_MS).date === date) at -= QUARTER_MS;
  for (;;) {
    const first = read(zone, at);
    const quarters = [];
    for (let now = first; now.date === first.date; now = read(zone, at)) {
      quarters.push({ at, clock: now.clock });
      at += QUARTER_MS;
    }
    yield { date: first.date, weekday: first.weekday, quarters };
  }
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Finds a clock time on a day: the last one if it comes twice; as long after a skip as it is after the skip's beginning. */
function find({ quarters }: ClockDay, clock: string): number {
  if (clock === END_OF_DAY) return (quarters.at(-1)?.at ?? Number.NaN) + QUARTER_MS - 1;
  const exact = quarters.findLast((quarter) => quarter.clock === clock);
  if (exact) return exact.at;
  const after = quarters.find((quarter, index) => quarter.clock > clock && (quarters[index - 1]?.clock ?? '') < clock);
  const before = quarters[after === undefined ? -1 : quarters.indexOf(after) - 1]?.clock;
  const skippedFrom = before === undefined ? 0 : minutesOf(before) + 15;
  return (after?.at ?? Number.NaN) + (minutesOf(clock) - skippedFrom) * 60_000;
}

const cutOffOn = ({ cutOffs, holidays, specialDays }: Calendar, { date, weekday }: ClockDay): string | undefined =>
  specialDays[date] ?? (holidays.includes(date) ? undefined : cutOffs[weekday]);

/** Returns when what was created at an instant is due on the same working day, or else on the next. */
export function sameDayBySteps(calendar: Calendar, created: number, by: string): number {
  let isFirst = true;
  for (const day of daysFrom(calendar.timeZone, created)) {
    const cutOff = cutOffOn(calendar, day);
    if (cutOff !== undefined && (!isFirst || cutOff === END_OF_DAY || created < find(day, cutOff)))
      return Math.max(find(day, by), find(day, cutOff));
    isFirst = false;
  }
  return Number.NaN;
}

/** Returns when something is due by a clock time some working days after an instant. */
export function workingDaysBySteps(calendar: Calendar, from: number, days: number, by: string): number {
  let left = days + 1;
  let isFirst = true;
  for (const day of daysFrom(calendar.timeZone, from)) {
    if (isFirst || cutOffOn(calendar, day) !== undefined) left -= 1;
    isFirst = false;
    if (left === 0) return find(day, by);
  }
  return Number.NaN;
}

/** Reports whether an instant is on a working day. */
export function isOnWorkingDay(calendar: Calendar, at: number): boolean {
  const { date, weekday } = read(calendar.timeZone, at);
  return cutOffOn(calendar, { date, weekday, quarters: [] }) !== undefined;
}
