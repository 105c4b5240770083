import { z } from 'zod';
import {
  type Calendar,
  findEndlessClosure,
  isDate,
  isTimeZone,
  LONGEST_CLOSURE_DAYS,
  weekdays,
} from '../../domain/deadlines/calendar.ts';
import { isDistinct } from '../forms.ts';
import { section, whenParsed } from './section.ts';

/** Form of a time of the day. */
export const clockTime = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00, which is the end of the day');

const days = Object.fromEntries(weekdays.map((day) => [day, clockTime.optional()])) as Record<
  (typeof weekdays)[number],
  z.ZodOptional<typeof clockTime>
>;

const date = z.string().refine(isDate, 'must be a date that exists, such as 2026-12-25');

/** Number of holidays that a calendar may have. */
const MOST_HOLIDAYS = 1000;

const calendar = section({
  timeZone: z.string().refine(isTimeZone, 'must be the name of a time zone, such as America/Chicago'),
  cutOffs: section(days).refine(
    (given) => Object.keys(given).length > 0,
    'must have a cut-off for at least one day of the week, which is then worked',
  ),
  holidays: z
    .array(date, 'must be a list')
    .max(MOST_HOLIDAYS)
    .refine(isDistinct, 'must name each date once')
    .default([]),
}).superRefine((given, { addIssue }) => {
  const from = findEndlessClosure({ name: '', ...given });
  if (from === undefined) return;
  const message = `must leave a working day in the ${LONGEST_CLOSURE_DAYS} days after ${from}`;
  addIssue({ code: 'custom', path: ['holidays'], message });
}, whenParsed);

/** Form of calendars by their names. */
export const calendarsForm = z
  .record(z.string().min(1).max(40), calendar)
  .transform((given): ReadonlyMap<string, Calendar> => {
    const named = Object.entries(given).map(([name, { timeZone, cutOffs, holidays }]) => ({
      name,
      timeZone,
      cutOffs,
      holidays,
    }));
    return new Map(named.map((it) => [it.name, it]));
  });

/** Calendars by their names. */
export type Calendars = z.output<typeof calendarsForm>;
