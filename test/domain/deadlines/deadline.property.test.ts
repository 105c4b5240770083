import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Calendar, END_OF_DAY, weekdays } from '../../../src/domain/deadlines/calendar.ts';
import { deadlineOf } from '../../../src/domain/deadlines/deadline.ts';
import type { DeadlineRule } from '../../../src/domain/deadlines/rule.ts';
import { runs } from '../../thoroughness.ts';
import { daily, ruleOf } from './rules.ts';

/** Offsets of today's zones are whole quarters of an hour, and so are the clock times of these tests. */
const QUARTER_MS = 900_000;

/** Day as the clocks of a zone show it: each quarter of an hour with its instant, twice or never where the clocks change. */
interface ClockDay {
  readonly date: string;
  readonly weekday: (typeof weekdays)[number];
  readonly quarters: readonly { readonly at: number; readonly clock: string }[];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function read(zone: string, at: number) {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: String(parts.weekday).toLowerCase() as ClockDay['weekday'],
    clock: `${parts.hour}:${parts.minute}`,
  };
}

/** Steps through the quarters of an hour, from the beginning of the day that an instant is on. */
function* daysFrom(zone: string, instant: number): Generator<ClockDay> {
  let at = Math.floor(instant / QUARTER_MS) * QUARTER_MS;
  const { date } = read(zone, at);
  while (read(zone, at - QUARTER_MS).date === date) at -= QUARTER_MS;
  for (;;) {
    const first = read(zone, at);
    const quarters = [];
    for (let now = first; now.date === first.date; now = read(zone, at)) {
      quarters.push({ at, clock: now.clock });
      at += QUARTER_MS;
    }
    yield { date: first.date, weekday: first.weekday, quarters };
  }
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Finds a clock time on a day: the last one if it comes twice; as long after a skip as it is after the skip's beginning. */
function find({ quarters }: ClockDay, clock: string): number {
  if (clock === END_OF_DAY) return (quarters.at(-1)?.at ?? Number.NaN) + QUARTER_MS - 1;
  const exact = quarters.findLast((quarter) => quarter.clock === clock);
  if (exact) return exact.at;
  const after = quarters.find((quarter, index) => quarter.clock > clock && (quarters[index - 1]?.clock ?? '') < clock);
  const before = quarters[after === undefined ? -1 : quarters.indexOf(after) - 1]?.clock;
  const skippedFrom = before === undefined ? 0 : minutesOf(before) + 15;
  return (after?.at ?? Number.NaN) + (minutesOf(clock) - skippedFrom) * 60_000;
}

const cutOffOn = ({ cutOffs, holidays, specialDays }: Calendar, { date, weekday }: ClockDay): string | undefined =>
  specialDays[date] ?? (holidays.includes(date) ? undefined : cutOffs[weekday]);

/** Returns when what was created at an instant is due on the same working day, or else on the next. */
function sameDayBySteps(calendar: Calendar, created: number, by: string): number {
  let isFirst = true;
  for (const day of daysFrom(calendar.timeZone, created)) {
    const cutOff = cutOffOn(calendar, day);
    if (cutOff !== undefined && (!isFirst || cutOff === END_OF_DAY || created < find(day, cutOff)))
      return Math.max(find(day, by), find(day, cutOff));
    isFirst = false;
  }
  return Number.NaN;
}

/** Returns when something is due by a clock time some working days after an instant. */
function workingDaysBySteps(calendar: Calendar, from: number, days: number, by: string): number {
  let left = days + 1;
  let isFirst = true;
  for (const day of daysFrom(calendar.timeZone, from)) {
    if (isFirst || cutOffOn(calendar, day) !== undefined) left -= 1;
    isFirst = false;
    if (left === 0) return find(day, by);
  }
  return Number.NaN;
}

/** Reports whether an instant is on a working day. */
function isOnWorkingDay(calendar: Calendar, at: number): boolean {
  const { date, weekday } = read(calendar.timeZone, at);
  return cutOffOn(calendar, { date, weekday, quarters: [] }) !== undefined;
}

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
