import { Temporal } from 'temporal-polyfill';
import { isWholeDay, readWrittenTime, utcOf } from '../../base/moment.ts';
import { hasMeaning } from '../wire-values.ts';
import { addWorkingDays, type Calendar, cutOffOf, END_OF_DAY, instantAt } from './calendar.ts';
import type { Forecast } from './forecast.ts';
import { allows, CREATED, type DeadlineFacts, type DeadlineRule } from './rule.ts';

export interface Deadline {
  readonly dueAt: number;
  /** As forecast, or, where too little is known, a fixed time before. */
  readonly atRiskAt: number;
  /** That fixed time. */
  readonly ruleAt: number;
  /** First time that somebody was notified of a forecast; absent if nobody was. */
  readonly notifiedAt?: number | undefined;
  readonly forecast?: Forecast | undefined;
  readonly because: string;
  /** IANA name; default: UTC. */
  readonly timeZone?: string | undefined;
}

/** `willMiss` by what became of comparable orders; `atRisk` by the fixed time of the rule, where too little is known. */
export const outlooks = ['overdue', 'willMiss', 'atRisk', 'onTime'] as const;

export type Outlook = (typeof outlooks)[number];

/** A rule whose time the record lacks, or has in an unreadable notation, does not match. The result depends on facts and rules only, not on now. */
export function deadlineOf(facts: DeadlineFacts, rules: readonly DeadlineRule[]): Deadline | undefined {
  for (const rule of rules) {
    const from = allows(rule, facts) ? momentOf(facts, rule) : undefined;
    if (from) return reckon(rule, from);
  }
  return undefined;
}

/** On the clocks of the warehouse. */
interface Moment {
  readonly local: Temporal.ZonedDateTime;
  readonly isWholeDay: boolean;
}

function momentOf({ dates, createdAt }: DeadlineFacts, { of, calendar }: DeadlineRule): Moment | undefined {
  const text = Object.hasOwn(dates, of) ? dates[of] : undefined;
  const read = text === undefined ? undefined : readMoment(text, calendar);
  if (read || of !== CREATED || createdAt === undefined) return read;
  return { local: localTime(createdAt, calendar), isWholeDay: false };
}

function reckon(rule: DeadlineRule, from: Moment): Deadline {
  const [dueAt, why] = reckonBy[rule.due](rule, from);
  const { calendar, name, atRiskMs } = rule;
  const due = `due ${textOf(localTime(dueAt, calendar))} in ${calendar.timeZone}`;
  const ruleAt = dueAt - atRiskMs;
  return { dueAt, ruleAt, atRiskAt: ruleAt, because: `${name}: ${why}, ${due}`, timeZone: calendar.timeZone };
}

const reckonBy = {
  sameDay(rule, from) {
    const { calendar, by } = rule;
    const day = from.local.toPlainDate();
    const cutOff = cutOffOf(calendar, day);
    const isInTime =
      cutOff !== undefined &&
      (cutOff === END_OF_DAY || from.local.epochMilliseconds < instantAt(calendar, day, cutOff));
    const dueDay = isInTime ? day : addWorkingDays(calendar, day, cutOff === undefined ? 0 : 1);
    const own = cutOffOf(calendar, dueDay) ?? by;
    const side =
      cutOff === undefined ? 'not a working day' : `${isInTime ? 'before' : 'after'} the cut-off at ${cutOff}`;
    // A cut-off within an hour that the clocks skip is later than a time after that hour.
    const dueAt = Math.max(instantAt(calendar, dueDay, by), instantAt(calendar, dueDay, own));
    return [dueAt, `${describe(rule, from)}, ${side}`];
  },
  workingDays(rule, from) {
    const { calendar, by, days } = rule;
    const dueDay = addWorkingDays(calendar, from.local.toPlainDate(), days);
    const count = days === 1 ? '1 working day' : `${days} working days`;
    return [instantAt(calendar, dueDay, by), `${count} after ${describe(rule, from)}`];
  },
  date(rule, from) {
    const { local, isWholeDay } = from;
    const dueAt = isWholeDay ? instantAt(rule.calendar, local.toPlainDate(), rule.by) : local.epochMilliseconds;
    return [dueAt, describe(rule, from)];
  },
} as const satisfies Record<
  DeadlineRule['due'],
  (rule: DeadlineRule, from: Moment) => readonly [dueAt: number, why: string]
>;

const describe = ({ of }: DeadlineRule, { local, isWholeDay }: Moment): string =>
  `${of} ${isWholeDay ? local.toPlainDate() : textOf(local)}`;

/** A time without a zone is in that of the calendar, and midnight is the whole day. Undefined for what stands for no date. */
function readMoment(text: string, calendar: Calendar): Moment | undefined {
  const written = readWrittenTime(text);
  if (!written || !hasMeaning(utcOf(written))) return undefined;
  const { day, clock = '00:00', offset } = written;
  const local =
    offset === undefined || isWholeDay(written)
      ? Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(calendar.timeZone, { disambiguation: 'later' })
      : localTime(utcOf(written), calendar);
  return { local, isWholeDay: isWholeDay(written) || local.toPlainTime().equals('00:00') };
}

const localTime = (at: number, { timeZone }: Calendar): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);

/** `2026-02-11 09:12`. */
const textOf = (local: Temporal.ZonedDateTime): string =>
  local.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
