import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { type Calendar, isDate, MOST_HOLIDAYS, weekdays } from '../domain/deadlines/calendar.ts';
import { isDistinct } from '../forms/forms.ts';
import { section } from '../forms/section.ts';

export const clockTime = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00, which is the end of the day');

const timeZone = z.string().superRefine((text, { addIssue }) => {
  const message = problemOfZone(text);
  if (message !== undefined) addIssue({ code: 'custom', message });
});

const days = Object.fromEntries(
  weekdays.map((day) => [day, clockTime.optional().describe(`Cut-off on a ${day}, which is worked.`)]),
) as Record<(typeof weekdays)[number], z.ZodOptional<typeof clockTime>>;

const NO_DATE = 'must be a date that exists, such as 2026-12-25';

const date = z.string().refine(isDate, NO_DATE);

export const calendarForm = section(
  {
    timeZone: timeZone.describe(
      'Zone of the place, by its IANA name, such as `Europe/Berlin`; daylight saving time follows from it. A name that has none and belongs to no place, such as `EST` or `Etc/GMT+5`, is refused: in summer it would be wrong by an hour.',
    ),
    cutOffs: section(days)
      .refine(
        (given) => Object.keys(given).length > 0,
        'must have a cut-off for at least one day of the week, which is then worked',
      )
      .describe(
        'Days of the week that are worked, each with its cut-off on the clocks there; `24:00` is the end of the day.',
      ),
    holidays: z
      .array(date, 'must be a list')
      .max(MOST_HOLIDAYS, `must be at most ${MOST_HOLIDAYS}`)
      .refine(isDistinct, 'must name each date once')
      .default([])
      .describe('Dates that are not worked.'),
    specialDays: z
      .record(z.string(), clockTime)
      .refine((given) => Object.keys(given).length <= MOST_HOLIDAYS, `must be at most ${MOST_HOLIDAYS}`)
      .default({})
      .describe('Dates with a cut-off of their own: a half day, or a Saturday in peak season that is worked.'),
  },
  (given) => {
    const days = Object.keys(given.specialDays);
    return [
      ...days.map((day) => [!isDate(day), `specialDays/${day}`, NO_DATE] as const),
      ...days.map((day) => [given.holidays.includes(day), `specialDays/${day}`, 'is a holiday as well'] as const),
    ];
  },
);

export const calendarsForm = z
  .record(z.string().min(1).max(40), calendarForm)
  .transform(
    (given): ReadonlyMap<string, Calendar> =>
      new Map(Object.entries(given).map(([name, it]) => [name, { name, ...it }])),
  );

export type Calendars = z.output<typeof calendarsForm>;

/** Without daylight saving time. Whoever writes UTC means it. */
const OF_NO_PLACE = /^(?:etc\/(?!utc$).+|est|mst|hst|gmt.*|greenwich|uct|universal|zulu)$/i;

/** Completes "timeZone: …"; undefined for the zone of a place. */
export function problemOfZone(text: string): string | undefined {
  try {
    // An offset is no name, though it is taken.
    if (/^[+-]/.test(text)) throw new RangeError();
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
  } catch {
    return 'must be the name of a time zone, such as America/Chicago';
  }
  return OF_NO_PLACE.test(text)
    ? 'has no daylight saving time and is the zone of no place: write that of the warehouse, such as America/Chicago'
    : undefined;
}
