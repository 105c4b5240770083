import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { addWorkingDays, findEndlessClosure, isDate } from '../../../src/domain/deadlines/calendar.ts';
import { calendarOf } from './rules.ts';

const everyDay = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => new Date(Date.parse(from) + n * 86_400_000).toISOString().slice(0, 10));

describe('a calendar whose holidays leave no working day', () => {
  it('is found by the holiday with which it begins', () => {
    expect(findEndlessClosure(calendarOf({ holidays: everyDay('2026-12-24', 400) }))).toBe('2026-12-24');
    expect(findEndlessClosure(calendarOf({ cutOffs: {}, holidays: ['2026-12-25'] }))).toBe('2026-12-25');
  });

  it('is not one that is closed for half a year', () => {
    expect(findEndlessClosure(calendarOf({ holidays: everyDay('2026-05-01', 184) }))).toBeUndefined();
    expect(findEndlessClosure(calendarOf())).toBeUndefined();
  });

  it('does not keep anything waiting if it is used all the same', () => {
    const calendar = calendarOf({ cutOffs: {} });
    expect(() => addWorkingDays(calendar, Temporal.PlainDate.from('1970-01-01'), 1)).toThrow(
      'has no working day after',
    );
  });
});

it('a calendar that is closed for long is right if a day within is worked all the same', () => {
  const holidays = everyDay('2026-12-24', 400).filter((day) => day !== '2027-06-05');
  expect(findEndlessClosure(calendarOf({ holidays }))).toBe('2026-12-24');
  expect(findEndlessClosure(calendarOf({ holidays, specialDays: { '2027-06-05': '12:00' } }))).toBeUndefined();
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
