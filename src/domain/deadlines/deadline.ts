import { addWorkingDays, cutOffOf, END_OF_DAY, instantAt } from './calendar.ts';
import { beginningOf, clockText, dayOf, type Moment, readMoment } from './moment.ts';
import { allows, CREATED, type DeadlineRule, type RuleFacts } from './rule.ts';

/** Time by which a subject is to be done. Times are milliseconds since the epoch. */
export interface Deadline {
  readonly dueAt: number;
  /** Time from which it is at risk. */
  readonly atRiskAt: number;
  /** Sentence that names the rule and what it counted from. */
  readonly because: string;
}

/** Facts of a subject that decide when it is due. */
export interface DeadlineFacts extends RuleFacts {
  /** Time of the event that reported its creation, in milliseconds since the epoch; its record says it better. */
  readonly createdAt?: number | undefined;
  /** Times of its record as it has them, by the names that rules use. */
  readonly dates: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns when a subject is due; undefined if no rule matches. The first rule that matches decides. One whose time the record lacks, or has in a
 * notation that cannot be read, does not match. The same facts and rules always give the same deadline, whatever the time is.
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

/** Moment at which something is due, with the reason. */
interface Reckoned {
  readonly dueAt: number;
  readonly why: string;
}

function reckon(rule: DeadlineRule, from: Moment): Deadline {
  const { dueAt, why } = reckonBy[rule.due](rule, from);
  const { calendar, name, atRiskMs } = rule;
  const due = `due ${clockText(dueAt, calendar)} in ${calendar.timeZone}`;
  return { dueAt, atRiskAt: dueAt - atRiskMs, because: `${name}: ${why}, ${due}` };
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
