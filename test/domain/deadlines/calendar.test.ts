import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { addWorkingDays, isDate, MOST_HOLIDAYS } from '../../../src/domain/deadlines/calendar.ts';
import { calendarOf } from './rules.ts';

const everyDay = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => new Date(Date.parse(from) + n * 86_400_000).toISOString().slice(0, 10));

it('a calendar that is closed for as long as it may be is worked afterwards', () => {
  const calendar = calendarOf({ holidays: everyDay('2026-12-24', MOST_HOLIDAYS) });
  expect(addWorkingDays(calendar, Temporal.PlainDate.from('2026-12-23'), 1).toString()).toBe('2027-12-27');
});

it('a calendar without a working day keeps nothing waiting', () => {
  const calendar = calendarOf({ cutOffs: {} });
  expect(() => addWorkingDays(calendar, Temporal.PlainDate.from('1970-01-01'), 1)).toThrow('has no working day after');
});

it.each([
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-2-9', false],
  ['26-02-09', false],
  ['2026-02-09T00:00', false],
])('%j is a date: %s', (text, expected) => {
  expect(isDate(text)).toBe(expected);
});
