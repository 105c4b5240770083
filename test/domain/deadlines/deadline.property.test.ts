import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Calendar, END_OF_DAY, weekdays } from '../../../src/domain/deadlines/calendar.ts';
import { deadlineOf } from '../../../src/domain/deadlines/deadline.ts';
import type { DeadlineRule } from '../../../src/domain/deadlines/rule.ts';
import { isOnWorkingDay, sameDayBySteps, workingDaysBySteps } from './oracle.ts';
import { ruleOf } from './rules.ts';

const zones = [
  ...['America/Chicago', 'America/Havana', 'America/St_Johns', 'America/Santiago', 'Europe/Berlin', 'Africa/Cairo'],
  ...['Asia/Kathmandu', 'Asia/Beirut', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Kiritimati'],
  ...['Pacific/Pago_Pago', 'Antarctica/Troll', 'UTC'],
];

const anyClock = fc
  .integer({ min: 0, max: 96 })
  .map((n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`);

const FROM = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** Instants of two years, many of them near a change of the clocks in March and November. */
const anyInstant = fc.oneof(
  fc.integer({ min: FROM, max: FROM + 730 * DAY_MS }),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2026-04-05', '2026-09-06'),
      fc.nat(),
    )
    .map(([day, n]) => Date.parse(`${day}T00:00:00Z`) - DAY_MS + (n % (3 * DAY_MS))),
);

const anyHoliday = fc.nat(760).map((n) => new Date(FROM + n * DAY_MS).toISOString().slice(0, 10));

const anyCalendar: fc.Arbitrary<Calendar> = fc.record({
  name: fc.constant('any'),
  timeZone: fc.constantFrom(...zones),
  cutOffs: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...weekdays), anyClock), { minLength: 1, selector: ([day]) => day })
    .map((days) => Object.fromEntries(days)),
  holidays: fc.array(anyHoliday, { maxLength: 60 }),
});

/** Calendars with a time that is not before any cut-off, as the configuration demands. */
const anySchedule = fc.tuple(anyCalendar, anyClock).map(([calendar, clock]) => ({
  calendar,
  by: [clock, ...Object.values(calendar.cutOffs)].toSorted().at(-1) ?? END_OF_DAY,
}));

const dueOf = (createdAt: number, rule: Partial<DeadlineRule>): number =>
  deadlineOf({ kind: 'order', createdAt, dates: {} }, [ruleOf(rule)])?.dueAt ?? Number.NaN;

it('what is due on the same or the next working day agrees with a calendar that is stepped through', () => {
  fc.assert(
    fc.property(anySchedule, anyInstant, ({ calendar, by }, created) => {
      expect(dueOf(created, { calendar, by })).toBe(sameDayBySteps(calendar, created, by));
    }),
    { numRuns: 400 },
  );
});

it('what is due after some working days agrees with a calendar that is stepped through', () => {
  fc.assert(
    fc.property(anySchedule, anyInstant, fc.integer({ min: 1, max: 6 }), ({ calendar, by }, from, days) => {
      const rule = { calendar, by, days, due: 'workingDays' } as const;
      expect(dueOf(from, rule)).toBe(workingDaysBySteps(calendar, from, days, by));
    }),
    { numRuns: 200 },
  );
});

it('nothing is due before it was created, or on a day that is not worked', () => {
  fc.assert(
    fc.property(anySchedule, anyInstant, fc.nat(3), ({ calendar, by }, created, days) => {
      const due = dueOf(created, { calendar, by, days, due: days === 0 ? 'sameDay' : 'workingDays' });
      expect(due).toBeGreaterThanOrEqual(created);
      expect(isOnWorkingDay(calendar, due)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('what was created later is not due earlier', () => {
  fc.assert(
    fc.property(anySchedule, anyInstant, fc.nat(3 * DAY_MS), fc.nat(3), ({ calendar, by }, created, laterMs, days) => {
      const rule = { calendar, by, days, due: days === 0 ? 'sameDay' : 'workingDays' } as const;
      expect(dueOf(created + laterMs, rule)).toBeGreaterThanOrEqual(dueOf(created, rule));
    }),
    { numRuns: 2000 },
  );
});
