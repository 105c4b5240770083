import { Temporal } from 'temporal-polyfill';
import { isWholeDay, readWrittenTime, utcOf } from '../../base/moment.ts';
import { hasMeaning } from '../wire-values.ts';
import { addWorkingDays, type Calendar, cutOffOf, END_OF_DAY, instantAt } from './calendar.ts';
import type { Forecast } from './forecast.ts';
import { allows, CREATED, type DeadlineRule, type RuleFacts } from './rule.ts';

/** By which a subject is to be done. */
export interface Deadline {
  readonly dueAt: number;
  /** As forecast, or, where too little is known, a fixed time before. */
  readonly atRiskAt: number;
  /** That fixed time. */
  readonly ruleAt: number;
  /** First time that a forecast was told; absent if it never was. */
  readonly toldAt?: number | undefined;
  /** Absent where too little is known. */
  readonly forecast?: Forecast | undefined;
  /** Names the rule and what it counted from. */
  readonly because: string;
  /** IANA name; default: UTC. */
  readonly timeZone?: string | undefined;
}

/** `willMiss` by what became of comparable orders; `atRisk` by the fixed time of the rule, where too little is known. */
export const outlooks = ['overdue', 'willMiss', 'atRisk', 'onTime'] as const;

export type Outlook = (typeof outlooks)[number];

export interface DeadlineFacts extends RuleFacts {
  /** From the event; the record says it better. */
  readonly createdAt?: number | undefined;
  /** As the record has them, by the names that rules use. */
  readonly dates: Readonly<Record<string, string | undefined>>;
}

/**
 * The first rule that matches decides; one whose time the record lacks, or has in an unreadable notation, does not match. The result
 * depends on facts and rules only, not on the time.
 */
export function deadlineOf(facts: DeadlineFacts, rules: readonly DeadlineRule[]): Deadline | undefined {
  for (const rule of rules) {
    const from = allows(rule, facts) ? momentOf(facts, rule) : undefined;
    if (from) return reckon(rule, from);
  }
  return undefined;
}

function momentOf({ dates, createdAt }: DeadlineFacts, { of, calendar }: DeadlineRule): Moment | undefined {
  const text = Object.hasOwn(dates, of) ? dates[of] : undefined;
  const read = text === undefined ? undefined : readMoment(text, calendar);
  return read ?? (of === CREATED && createdAt !== undefined ? { at: createdAt } : undefined);
}

interface Reckoned {
  readonly dueAt: number;
  readonly why: string;
}

function reckon(rule: DeadlineRule, from: Moment): Deadline {
  const { dueAt, why } = reckonBy[rule.due](rule, from);
  const { calendar, name, atRiskMs } = rule;
  const due = `due ${clockText(dueAt, calendar)} in ${calendar.timeZone}`;
  const ruleAt = dueAt - atRiskMs;
  return { dueAt, ruleAt, atRiskAt: ruleAt, because: `${name}: ${why}, ${due}`, timeZone: calendar.timeZone };
}

const reckonBy = {
  sameDay(rule, from) {
    const { calendar, by } = rule;
    const day = dayOf(from, calendar);
    const cutOff = cutOffOf(calendar, day);
    const isInTime =
      cutOff !== undefined && (cutOff === END_OF_DAY || beginningOf(from, calendar) < instantAt(calendar, day, cutOff));
    const dueDay = isInTime ? day : addWorkingDays(calendar, day, cutOff === undefined ? 0 : 1);
    const own = cutOffOf(calendar, dueDay) ?? by;
    const side =
      cutOff === undefined ? 'not a working day' : `${isInTime ? 'before' : 'after'} the cut-off at ${cutOff}`;
    // A cut-off within an hour that the clocks skip is later than a time after that hour.
    const dueAt = Math.max(instantAt(calendar, dueDay, by), instantAt(calendar, dueDay, own));
    return { dueAt, why: `${describe(rule, from)}, ${side}` };
  },
  workingDays(rule, from) {
    const { calendar, by, days } = rule;
    const dueDay = addWorkingDays(calendar, dayOf(from, calendar), days);
    const count = days === 1 ? '1 working day' : `${days} working days`;
    return { dueAt: instantAt(calendar, dueDay, by), why: `${count} after ${describe(rule, from)}` };
  },
  date(rule, from) {
    const dueAt = 'at' in from ? from.at : instantAt(rule.calendar, from.day, rule.by);
    return { dueAt, why: describe(rule, from) };
  },
} as const satisfies Record<DeadlineRule['due'], (rule: DeadlineRule, from: Moment) => Reckoned>;

const describe = ({ of, calendar }: DeadlineRule, from: Moment): string =>
  `${of} ${'day' in from ? from.day.toString() : clockText(from.at, calendar)}`;

/** An instant, or a whole day of the warehouse. */
type Moment = { readonly at: number } | { readonly day: Temporal.PlainDate };

/**
 * A time without a zone is in that of the calendar, and midnight is the whole day. Undefined for an unknown notation, and for a date that
 * stands for none.
 */
function readMoment(text: string, { timeZone }: Pick<Calendar, 'timeZone'>): Moment | undefined {
  const written = readWrittenTime(text);
  if (!written || !hasMeaning(utcOf(written))) return undefined;
  if (isWholeDay(written)) return { day: Temporal.PlainDate.from(written.day) };
  const local =
    written.offset === undefined
      ? Temporal.PlainDateTime.from(`${written.day}T${written.clock}`).toZonedDateTime(timeZone, {
          disambiguation: 'later',
        })
      : Temporal.Instant.fromEpochMilliseconds(utcOf(written)).toZonedDateTimeISO(timeZone);
  const isMidnight = local.toPlainTime().equals(MIDNIGHT);
  return isMidnight ? { day: local.toPlainDate() } : { at: local.epochMilliseconds };
}

const MIDNIGHT = Temporal.PlainTime.from('00:00');

export const dayOf = (moment: Moment, { timeZone }: Pick<Calendar, 'timeZone'>): Temporal.PlainDate =>
  'day' in moment
    ? moment.day
    : Temporal.Instant.fromEpochMilliseconds(moment.at).toZonedDateTimeISO(timeZone).toPlainDate();

const beginningOf = (moment: Moment, calendar: Pick<Calendar, 'timeZone'>): number =>
  'at' in moment ? moment.at : instantAt(calendar, moment.day, '00:00');

/** `2026-02-11 09:12`. */
const clockText = (at: number, { timeZone }: Pick<Calendar, 'timeZone'>): string =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
