import { type ClockTime, END_OF_DAY, weekdays } from '../domain/deadlines/calendar.ts';
import type { DeadlineRule } from '../domain/deadlines/rule.ts';

/** Time from the start to the cut-off, and to the moment at which open orders are at risk, in milliseconds. */
const CUT_OFF_MS = 1_800_000;
const AT_RISK_MS = 60_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the rule by which the simulated warehouse ships: every day, with a cut-off half an hour after the start, or at midnight if that is
 * earlier.
 */
export function simulatedDeadlines(startedAt: number, utcOffsetMinutes: number): readonly DeadlineRule[] {
  const hours = utcOffsetMinutes / 60;
  const local = (startedAt + hours * HOUR_MS) % DAY_MS;
  // A clock time has minutes; rounded up, since a cut-off that has passed is that of tomorrow.
  const minutes = Math.ceil((local + CUT_OFF_MS) / 60_000);
  const cutOff = minutes >= 24 * 60 ? END_OF_DAY : clockTime(minutes);
  const untilCutOffMs = Math.min(minutes * 60_000, DAY_MS) - local;
  return [
    {
      name: "today's truck",
      kind: 'order',
      calendar: {
        name: 'every day',
        // The sign of these zones is that of the hours to UTC.
        timeZone: `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`,
        cutOffs: Object.fromEntries(weekdays.map((day) => [day, cutOff])),
        holidays: [],
        specialDays: {},
      },
      due: 'sameDay',
      days: 0,
      of: 'created',
      by: cutOff,
      atRiskMs: Math.max(0, untilCutOffMs - AT_RISK_MS),
    },
  ];
}

const clockTime = (minutes: number): ClockTime =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
