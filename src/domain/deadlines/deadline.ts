import { addWorkingDays, cutOffOf, END_OF_DAY, instantAt } from './calendar.ts';
import { type Forecast, isTold } from './forecast.ts';
import { beginningOf, clockText, dayOf, type Moment, readMoment } from './moment.ts';
import { allows, CREATED, type DeadlineRule, type RuleFacts } from './rule.ts';

/** Time by which a subject is to be done. Times are milliseconds since the epoch. */
export interface Deadline {
  readonly dueAt: number;
  /** Time from which it is at risk: as forecast, or, where too little is known for that, a fixed time before. */
  readonly atRiskAt: number;
  /** Absent where too little is known to compare it with. */
  readonly forecast?: Told | undefined;
  /** Sentence that names the rule and what it counted from. */
  readonly because: string;
  /** IANA name of the zone of its rule; default: UTC. */
  readonly timeZone?: string | undefined;
}

/** Forecast as it was told. Times are milliseconds since the epoch. */
export interface Told extends Forecast {
  /** Time at which it was first told; absent if it never was. */
  readonly toldAt?: number | undefined;
  /** Time from which it would be at risk without a forecast. */
  readonly ruleAt: number;
}

/**
 * How an open subject stands against its deadline: `willMiss` by what became of comparable orders; `atRisk` by the fixed time of its rule, where
 * too little is known to compare it with.
 */
export const outlooks = ['overdue', 'willMiss', 'atRisk', 'onTime'] as const;

export type Outlook = (typeof outlooks)[number];

/** What decides how it stands, without the reasons. */
export interface Marks extends Pick<Deadline, 'dueAt' | 'atRiskAt'> {
  readonly forecast?: Pick<Told, 'expectedAt' | 'changes' | 'toldAt' | 'ruleAt'> | undefined;
}

/** The statements on stored subjects, in `src/subjects/tables/deadlines.ts`, say the same. */
export function outlookOf(
  { dueAt, atRiskAt, isForecast }: Pick<Deadline, 'dueAt' | 'atRiskAt'> & { readonly isForecast: boolean },
  now: number,
): Outlook {
  if (dueAt <= now) return 'overdue';
  if (atRiskAt > now) return 'onTime';
  return isForecast ? 'willMiss' : 'atRisk';
}

/** Returns what is told by a forecast; without one, by the rule. */
export function foretell(
  known: Marks,
  found: Forecast | undefined,
  now: number,
): Pick<Deadline, 'atRiskAt' | 'forecast'> {
  const { dueAt, atRiskAt, forecast } = known;
  const ruleAt = forecast?.ruleAt ?? atRiskAt;
  if (!found) return { atRiskAt: ruleAt };
  const wasTold = isTold(changesOf(known, now));
  const told = isTold(found.changes) && !wasTold ? now : atRiskAt;
  const toldAt = forecast?.toldAt ?? (found.changes > 0 ? told : undefined);
  return { atRiskAt: isTold(found.changes) ? told : dueAt, forecast: { ...found, toldAt, ruleAt } };
}

/** How often it was told, or that was taken back; a rule tells once. */
export const changesOf = ({ atRiskAt, forecast }: Marks, now: number): number =>
  forecast?.changes ?? Number(atRiskAt <= now);

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

interface Reckoned {
  readonly dueAt: number;
  readonly why: string;
}

function reckon(rule: DeadlineRule, from: Moment): Deadline {
  const { dueAt, why } = reckonBy[rule.due](rule, from);
  const { calendar, name, atRiskMs } = rule;
  const due = `due ${clockText(dueAt, calendar)} in ${calendar.timeZone}`;
  return { dueAt, atRiskAt: dueAt - atRiskMs, because: `${name}: ${why}, ${due}`, timeZone: calendar.timeZone };
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
