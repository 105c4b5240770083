import { Temporal } from 'temporal-polyfill';
import { isWholeDay, readWrittenTime, utcOf } from '../../base/written-time.ts';
import { hasMeaning } from '../wire-values.ts';
import { type Calendar, instantAt } from './calendar.ts';

/** An instant, or a whole day of the warehouse. */
export type Moment = { readonly at: number } | { readonly day: Temporal.PlainDate };

/**
 * A time without a zone is in that of the calendar, and midnight is the whole day. Undefined for an unknown notation, and for a date that
 * stands for none.
 */
export function readMoment(text: string, { timeZone }: Pick<Calendar, 'timeZone'>): Moment | undefined {
  const written = readWrittenTime(text);
  if (!written || !hasMeaning(utcOf(written))) return undefined;
  if (isWholeDay(written)) return { day: Temporal.PlainDate.from(written.day) };
  const local =
    written.offset === undefined
      ? Temporal.PlainDateTime.from(`${written.day}T${written.clock}`).toZonedDateTime(timeZone, {
          disambiguation: 'later',
        })
      : Temporal.Instant.fromEpochMilliseconds(utcOf(written)).toZonedDateTimeISO(timeZone);
  const isMidnight = local.toPlainTime().equals(MIDNIGHT);
  return isMidnight ? { day: local.toPlainDate() } : { at: local.epochMilliseconds };
}

const MIDNIGHT = Temporal.PlainTime.from('00:00');

export const dayOf = (moment: Moment, { timeZone }: Pick<Calendar, 'timeZone'>): Temporal.PlainDate =>
  'day' in moment
    ? moment.day
    : Temporal.Instant.fromEpochMilliseconds(moment.at).toZonedDateTimeISO(timeZone).toPlainDate();

export const beginningOf = (moment: Moment, calendar: Pick<Calendar, 'timeZone'>): number =>
  'at' in moment ? moment.at : instantAt(calendar, moment.day, '00:00');

/** `2026-02-11 09:12`. */
export const clockText = (at: number, { timeZone }: Pick<Calendar, 'timeZone'>): string =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
