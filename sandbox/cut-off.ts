import { Temporal } from 'temporal-polyfill';
import { type ClockTime, END_OF_DAY, weekdays } from '../src/domain/deadlines/calendar.ts';
import type { DeadlineRule } from '../src/domain/deadlines/rule.ts';
import { mainKind } from '../src/domain/kinds/kinds.ts';
import { carrierNames } from './simulator/state/carriers.ts';

/** Zone of the simulated warehouse. */
const TIME_ZONE = 'America/Chicago';

/** Time from the start to the cut-off of each carrier in turn, in minutes. */
const CUT_OFF_MINUTES = 30;
const BETWEEN_TRUCKS_MINUTES = 75;

/** Time from the start to the moment at which the orders of the first truck are at risk, in milliseconds. */
const AT_RISK_MS = 60_000;

/**
 * Returns the rules by which the simulated warehouse ships: every day by the truck of each carrier, of which the first leaves half an hour
 * after the start and the others later, or at midnight if that is earlier.
 */
export function simulatedDeadlines(startedAt: number): readonly DeadlineRule[] {
  const start = Temporal.Instant.fromEpochMilliseconds(startedAt).toZonedDateTimeISO(TIME_ZONE);
  return carrierNames.map((carrier, place) => {
    // A clock time has minutes; rounded up, since a cut-off that has passed is that of tomorrow.
    const minutes = CUT_OFF_MINUTES + 1 + place * BETWEEN_TRUCKS_MINUTES;
    const leaves = start.add({ minutes }).round({ smallestUnit: 'minute', roundingMode: 'floor' });
    const isToday = leaves.toPlainDate().equals(start.toPlainDate());
    const midnight = start.add({ days: 1 }).startOfDay();
    const cutOff: ClockTime = isToday ? leaves.toPlainTime().toString({ smallestUnit: 'minute' }) : END_OF_DAY;
    const untilCutOffMs = (isToday ? leaves : midnight).epochMilliseconds - startedAt;
    return {
      name: `truck of ${carrier}`,
      kind: mainKind,
      carriers: [carrier],
      calendar: {
        name: `trucks of ${carrier}`,
        timeZone: TIME_ZONE,
        cutOffs: Object.fromEntries(weekdays.map((day) => [day, cutOff])),
        holidays: [],
        specialDays: {},
      },
      due: 'sameDay',
      days: 0,
      of: 'created',
      by: cutOff,
      atRiskMs: Math.max(0, Math.min(CUT_OFF_MINUTES * 60_000, untilCutOffMs) - AT_RISK_MS),
    };
  });
}
