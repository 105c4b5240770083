import { Temporal } from 'temporal-polyfill';
import { readWrittenTime } from '../../base/moment.ts';

/** By ISO numbers, which begin with 1. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** On the clocks of a warehouse, `HH:MM` or {@link END_OF_DAY}. */
export type ClockTime = string;

/** However many hours the day has. */
export const END_OF_DAY: ClockTime = '24:00';

export interface Calendar {
  readonly name: string;
  /** IANA name, such as `America/Chicago`. */
  readonly timeZone: string;
  readonly cutOffs: { readonly [D in (typeof weekdays)[number]]?: ClockTime | undefined };
  /** `YYYY-MM-DD`. */
  readonly holidays: readonly string[];
  readonly specialDays: { readonly [date: string]: ClockTime };
}

/** Days without a working day that a calendar may have. */
export const LONGEST_CLOSURE_DAYS = 366;

/** That exists, as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const written = readWrittenTime(text);
  return written !== undefined && written.clock === undefined;
}

export function cutOffOf({ cutOffs, holidays, specialDays }: Calendar, day: Temporal.PlainDate): ClockTime | undefined {
  const date = day.toString();
  if (Object.hasOwn(specialDays, date)) return specialDays[date];
  const weekday = weekdays[day.dayOfWeek - 1];
  return weekday === undefined || holidays.includes(date) ? undefined : cutOffs[weekday];
}

/** Working days after a day; with 0, the day itself or else the next. */
export function addWorkingDays(calendar: Calendar, from: Temporal.PlainDate, count: number): Temporal.PlainDate {
  const day = nextWorkingDay(
    calendar,
    count === 0 ? from : from.add({ days: 1 }),
    LONGEST_CLOSURE_DAYS + weekdays.length,
  );
  if (!day) throw new RangeError(`calendar ${calendar.name} has no working day after ${from}`);
  return count > 1 ? addWorkingDays(calendar, day, count - 1) : day;
}

/** The day itself if it is worked; undefined if none is for that many days. */
function nextWorkingDay(calendar: Calendar, from: Temporal.PlainDate, within: number): Temporal.PlainDate | undefined {
  for (let passed = 0; passed <= within; passed += 1) {
    const day = from.add({ days: passed });
    if (cutOffOf(calendar, day) !== undefined) return day;
  }
  return undefined;
}

/** Followed by no working day for longer than {@link LONGEST_CLOSURE_DAYS}. */
export const findEndlessClosure = (calendar: Calendar): string | undefined =>
  calendar.holidays.find(
    (day) =>
      !calendar.holidays.includes(Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()) &&
      !nextWorkingDay(calendar, Temporal.PlainDate.from(day), LONGEST_CLOSURE_DAYS),
  );

/** Of a time that comes twice the second; one that is skipped is as long after the skip: never earlier than people there would say. */
export function instantAt({ timeZone }: Pick<Calendar, 'timeZone'>, day: Temporal.PlainDate, at: ClockTime): number {
  if (at === END_OF_DAY) return day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds - 1;
  return day.toPlainDateTime(at).toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds;
}
