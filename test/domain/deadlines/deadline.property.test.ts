import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Calendar, END_OF_DAY, weekdays } from '../../../src/domain/deadlines/calendar.ts';
import { deadlineOf } from '../../../src/domain/deadlines/deadline.ts';
import type { DeadlineRule } from '../../../src/domain/deadlines/rule.ts';
import { runs } from '../../thoroughness.ts';
import { isOnWorkingDay, sameDayBySteps, workingDaysBySteps } from './oracle.ts';
import { daily, ruleOf } from './rules.ts';

const zones = [
  ...['America/Chicago', 'America/Havana', 'America/St_Johns', 'America/Santiago', 'Europe/Berlin', 'Africa/Cairo'],
  ...['Asia/Kathmandu', 'Asia/Beirut', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Kiritimati'],
  ...['Pacific/Pago_Pago', 'Antarctica/Troll', 'UTC'],
];

/** Clock times, every second one near midnight, where most clocks change. */
const anyClock = fc
  .oneof(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 96 }))
  .map((n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`);

const FROM = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** Instants of two years. */
const anyInstant = fc.integer({ min: FROM, max: FROM + 730 * DAY_MS });

const anyHoliday = fc.nat(760).map((n) => new Date(FROM + n * DAY_MS).toISOString().slice(0, 10));

const anyCalendar: fc.Arbitrary<Calendar> = fc.record({
  name: fc.constant('any'),
  timeZone: fc.constantFrom(...zones),
  cutOffs: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...weekdays), anyClock), { minLength: 1, selector: ([day]) => day })
    .map((days) => Object.fromEntries(days)),
  holidays: fc.array(anyHoliday, { maxLength: 60 }),
  specialDays: fc.array(fc.tuple(anyHoliday, anyClock), { maxLength: 20 }).map((days) => Object.fromEntries(days)),
});

/** Days on which the clocks of a zone change. */
const changes = [
  ...(['2026-03-08', '2026-11-01'] as const).map((day) => ['America/Chicago', day] as const),
  ...(['2026-03-08', '2026-11-01'] as const).map((day) => ['America/Havana', day] as const),
  ...(['2026-04-05', '2026-09-06'] as const).map((day) => ['America/Santiago', day] as const),
  ...(['2026-04-05', '2026-10-04'] as const).map((day) => ['Australia/Lord_Howe', day] as const),
  ...(['2026-03-29', '2026-10-25'] as const).map((day) => ['Asia/Beirut', day] as const),
  ['Africa/Cairo', '2026-10-30'],
  ['Antarctica/Troll', '2026-03-29'],
] as const;

/** Creations within a day of a change, where every day is worked. */
const nearChange = fc
  .tuple(fc.constantFrom(...changes), anyCalendar, anyClock, fc.nat(2 * DAY_MS))
  .map(([[timeZone, day], calendar, clock, n]) => ({
    created: Date.parse(`${day}T00:00:00Z`) - DAY_MS + n,
    calendar: { ...calendar, timeZone, cutOffs: { ...daily(clock), ...calendar.cutOffs } },
    clock,
  }));

const anyTime = fc.record({ created: anyInstant, calendar: anyCalendar, clock: anyClock });

/** Creations with a time that is not before any cut-off, as the configuration demands. */
const anyCreation = fc.oneof(anyTime, nearChange).map(({ calendar, clock, created }) => ({
  calendar,
  created,
  by: [clock, ...Object.values(calendar.cutOffs)].toSorted().at(-1) ?? END_OF_DAY,
}));

const dueOf = (createdAt: number, rule: Partial<DeadlineRule>): number =>
  deadlineOf({ kind: 'order', createdAt, dates: {} }, [ruleOf(rule)])?.dueAt ?? Number.NaN;

it('what is due on the same or the next working day agrees with a calendar that is stepped through', () => {
  fc.assert(
    fc.property(anyCreation, ({ calendar, by, created }) => {
      expect(dueOf(created, { calendar, by })).toBe(sameDayBySteps(calendar, created, by));
    }),
    { numRuns: runs(600) },
  );
});

it('what is due after some working days agrees with a calendar that is stepped through', () => {
  fc.assert(
    fc.property(anyCreation, fc.integer({ min: 1, max: 6 }), ({ calendar, by, created: from }, days) => {
      const rule = { calendar, by, days, due: 'workingDays' } as const;
      expect(dueOf(from, rule)).toBe(workingDaysBySteps(calendar, from, days, by));
    }),
    { numRuns: runs(300) },
  );
});

it('nothing is due before it was created, or on a day that is not worked', () => {
  fc.assert(
    fc.property(anyCreation, fc.nat(3), ({ calendar, by, created }, days) => {
      const due = dueOf(created, { calendar, by, days, due: days === 0 ? 'sameDay' : 'workingDays' });
      expect(due).toBeGreaterThanOrEqual(created);
      expect(isOnWorkingDay(calendar, due)).toBe(true);
    }),
    { numRuns: runs(2000) },
  );
});

it('what was created later is not due earlier', () => {
  fc.assert(
    fc.property(anyCreation, fc.nat(2 * DAY_MS), fc.nat(3), ({ calendar, by, created }, laterMs, days) => {
      const rule = { calendar, by, days, due: days === 0 ? 'sameDay' : 'workingDays' } as const;
      expect(dueOf(created + laterMs, rule)).toBeGreaterThanOrEqual(dueOf(created, rule));
    }),
    { numRuns: runs(2000) },
  );
});
