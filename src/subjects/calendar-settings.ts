import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import {
  type Calendar,
  findEndlessClosure,
  isDate,
  LONGEST_CLOSURE_DAYS,
  weekdays,
} from '../domain/deadlines/calendar.ts';
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

const MOST_HOLIDAYS = 1000;

export const calendarForm = section(
  {
    timeZone: timeZone.describe(
      'Zone of the place, by its IANA name, such as `Europe/Berlin`; daylight saving time follows from it. A name that has none and belongs to no place, such as `EST` or `Etc/GMT+5`, is refused with the one to write: in summer it would be wrong by an hour.',
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
      .max(MOST_HOLIDAYS)
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
    const from = findEndlessClosure({ name: '', ...given });
    const days = Object.keys(given.specialDays);
    return [
      ...days.map((day) => [!isDate(day), `specialDays/${day}`, NO_DATE] as const),
      ...days.map((day) => [given.holidays.includes(day), `specialDays/${day}`, 'is a holiday as well'] as const),
      [from !== undefined, 'holidays', `must leave a working day in the ${LONGEST_CLOSURE_DAYS} days after ${from}`],
    ];
  },
);

export const calendarsForm = z
  .record(z.string().min(1).max(40), calendarForm)
  .transform((given): ReadonlyMap<string, Calendar> => {
    const named = Object.entries(given).map(([name, it]) => ({ name, ...it }));
    return new Map(named.map((it) => [it.name, it]));
  });

export type Calendars = z.output<typeof calendarsForm>;

/** Zones without daylight saving time that belong to no place. Whoever writes UTC means it. */
const OF_NO_PLACE = /^(?:etc\/(?!utc$).+|systemv\/\w{3}\d|est|mst|hst|gmt.*|greenwich|uct|universal|zulu)$/i;

/** Offset in place of a name: `-06:00`, `UTC+5`. */
const OFFSET = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** To write instead: of each offset one with daylight saving time, if there is one, before one without. */
const places =
  'Pacific/Pago_Pago Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Phoenix America/Chicago America/Costa_Rica America/New_York America/Panama America/Halifax America/Puerto_Rico America/St_Johns America/Sao_Paulo Europe/London Atlantic/Reykjavik Europe/Berlin Africa/Lagos Europe/Athens Africa/Johannesburg Europe/Istanbul Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Bangkok Asia/Singapore Asia/Tokyo Australia/Adelaide Australia/Darwin Australia/Sydney Australia/Brisbane Pacific/Auckland Pacific/Fiji'.split(
    ' ',
  );

/** Completes "timeZone: …"; undefined for the zone of a place. */
export function problemOfZone(text: string): string | undefined {
  const offset = OFFSET.exec(text);
  if (!offset && !OF_NO_PLACE.test(text))
    return /^[A-Za-z]/.test(text) && offsetOf(text) !== undefined ? undefined : UNKNOWN;
  const [, sign, hours, rest = '0'] = offset ?? [];
  const minutes = offset ? Number(`${sign}1`) * (Number(hours) * 60 + Number(rest)) : offsetOf(text);
  const [place, other] = places.filter((it) => offsetOf(it) === minutes);
  if (place === undefined) return UNKNOWN;
  const instead = other === undefined ? place : `${place}, or ${other} if its clocks do not change`;
  return `has no daylight saving time and is the zone of no place: write that of the warehouse, such as ${instead}`;
}

const UNKNOWN = 'must be the name of a time zone, such as America/Chicago';

/** In winter and summer. */
const moments = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((at) => Temporal.Instant.fromEpochMilliseconds(at));

function offsetOf(name: string): number | undefined {
  try {
    return Math.min(...moments.map((it) => it.toZonedDateTimeISO(name).offsetNanoseconds / 60e9));
  } catch {
    return undefined;
  }
}
