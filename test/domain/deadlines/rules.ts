import { type Calendar, weekdays } from '../../../src/domain/deadlines/calendar.ts';
import type { DeadlineRule } from '../../../src/domain/deadlines/rule.ts';

/** Creates a calendar, by default of five days with the cut-off at two. */
export const calendarOf = (given: Partial<Calendar> = {}): Calendar => ({
  name: 'dock',
  timeZone: 'America/Chicago',
  cutOffs: Object.fromEntries(weekdays.slice(0, 5).map((day) => [day, '14:00'])),
  holidays: [],
  specialDays: {},
  ...given,
});

/** Creates a rule, by default for all orders, by five on the same day. */
export const ruleOf = (given: Partial<DeadlineRule> = {}): DeadlineRule => ({
  name: 'usual',
  kind: 'order',
  calendar: calendarOf(),
  due: 'sameDay',
  days: 0,
  of: 'created',
  by: '17:00',
  atRiskMs: 7_200_000,
  ...given,
});

/** Creates the cut-offs of every day of the week. */
export const daily = (clock: string): Calendar['cutOffs'] => Object.fromEntries(weekdays.map((day) => [day, clock]));
