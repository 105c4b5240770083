import { Temporal } from 'temporal-polyfill';
import { hasMeaning } from '../wire-values.ts';
import { type Calendar, instantAt } from './calendar.ts';

/** Time of a fact: an instant in milliseconds since the epoch, or a whole day of the warehouse. */
export type Moment = { readonly at: number } | { readonly day: Temporal.PlainDate };

const DATE = /^\d{4}-\d{2}-\d{2}/;

/** The warehouse writes a date without a time as midnight. */
const DAY = /^\d{4}-\d{2}-\d{2}(?:[T ]00:00(?::00(?:\.0+)?)?)?$/i;

const ZONED = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Reads a time of a record. One without a zone is the warehouse's, in the zone of its calendar. Returns undefined for a text in any other
 * notation, and for a date that stands for none.
 */
export function readMoment(text: string, calendar: Pick<Calendar, 'timeZone'>): Moment | undefined {
  if (!DATE.test(text)) return undefined;
  try {
    const moment = parse(text, calendar);
    return hasMeaning('at' in moment ? moment.at : moment.day.toZonedDateTime('UTC').epochMilliseconds)
      ? moment
      : undefined;
  } catch {
    return undefined;
  }
}

function parse(text: string, { timeZone }: Pick<Calendar, 'timeZone'>): Moment {
  if (DAY.test(text)) return { day: Temporal.PlainDate.from(text.slice(0, 10)) };
  if (ZONED.test(text.slice(10))) return { at: Temporal.Instant.from(text).epochMilliseconds };
  const local = Temporal.PlainDateTime.from(text);
  return { at: local.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds };
}

/** Returns the day of a moment in the zone of a calendar. */
export const dayOf = (moment: Moment, { timeZone }: Pick<Calendar, 'timeZone'>): Temporal.PlainDate =>
  'day' in moment
    ? moment.day
    : Temporal.Instant.fromEpochMilliseconds(moment.at).toZonedDateTimeISO(timeZone).toPlainDate();

/** Returns the first instant of a moment, in milliseconds since the epoch. */
export const beginningOf = (moment: Moment, calendar: Pick<Calendar, 'timeZone'>): number =>
  'at' in moment ? moment.at : instantAt(calendar, moment.day, '00:00');

/** Writes an instant as the clocks of a calendar's zone show it: `2026-02-11 09:12`. */
export const clockText = (at: number, { timeZone }: Pick<Calendar, 'timeZone'>): string =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
