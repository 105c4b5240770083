import { z } from 'zod';
import { kindOf } from '../domain/catalogue/subject.ts';
import { END_OF_DAY } from '../domain/deadlines/calendar.ts';
import {
  CREATED,
  type DeadlineRule,
  datesOf,
  isCovered,
  isSavedElement,
  kindsWithDeadlines,
  reckonings,
  savedElementDate,
} from '../domain/deadlines/rule.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import { describeFamily } from '../domain/quarantine.ts';
import { customerIds } from '../forms/destination-forms.ts';
import { duration, wholeNumber } from '../forms/forms.ts';
import { type Rule, section } from '../forms/section.ts';
import { type Calendars, clockTime } from './calendar-settings.ts';

const USUAL_RISK_MS = 7_200_000;

const LONGEST_RISK_MS = 2_592_000_000;

const values = z
  .array(z.string().trim().min(1, 'must not be empty'), 'must be a list')
  .min(1, 'must name at least one, or be left out for all')
  .optional();

export const ruleForm = section(
  {
    name: z
      .string()
      .regex(/^[^\p{Cc}:]{1,60}$/u, 'must be of at most 60 characters, without a colon')
      .describe('Name, unique among the rules of the warehouse. The board and alerts say it.'),
    kind: z
      .enum(kindsWithDeadlines)
      .default(mainKind)
      .describe(`Kind of subjects: ${kindsWithDeadlines.join(', ')}.`),
    customers: customerIds.optional().describe('Ids of the customers. Default: all.'),
    facilities: values.describe(
      'Ids of the facilities of one account, whose zone and cut-offs may differ: a rule for each, with its own calendar. Default: all.',
    ),
    carriers: values.describe(
      '`routingInfo.carrier` of the order, in any case. Needs `smallParcel` in `WAREHOUSE_ORDER_DETAIL`. Default: all.',
    ),
    services: values.describe('`routingInfo.mode` of the order, likewise. Default: all.'),
    calendar: z.string().describe('Name of the calendar.'),
    due: z
      .enum(reckonings)
      .describe('How the time is reckoned: `sameDay`, `workingDays`, or `date`, a date of the record.'),
    days: wholeNumber(1, 250).optional().describe('Number of working days, for `workingDays`.'),
    of: z.string().optional().describe('Time that it counts from, or the date of the record. Default: `created`.'),
    by: clockTime.default(END_OF_DAY).describe('Time of the day at which it is due; `24:00` is its end.'),
    atRiskMs: duration(0, LONGEST_RISK_MS)
      .default(USUAL_RISK_MS)
      .describe('How long before the due time it counts as at risk, in milliseconds; by default two hours.'),
  },
  contradictionsOf,
);

type GivenRule = Pick<DeadlineRule, 'kind' | 'due'> & { readonly [key: string]: unknown };

function contradictionsOf({ kind, due, days, of, ...rest }: GivenRule): readonly Rule[] {
  const counts = due === 'workingDays';
  const dates = [...datesOf(kind), ...(kindOf(kind).sections ? [SAVED] : [])];
  const date = typeof of === 'string' && isSavedElement(of) ? SAVED : of;
  return [
    [counts && days === undefined, 'due', 'needs days, the number of working days'],
    [!counts && days !== undefined, 'days', `is only for due: workingDays, not for ${due}`],
    [due === 'date' && of === undefined, 'due', 'needs of, the date of the record'],
    [
      of !== undefined && !dates.some((it) => it === date),
      'of',
      `is no time of ${describeFamily(kind)}; known are ${dates.join(', ')}`,
    ],
    ...['carriers', 'services'].map(
      (key) => [!kindOf(kind).isRouted && rest[key] !== undefined, key, 'is only for orders'] as const,
    ),
  ];
}

const SAVED = 'savedElements.<name>';

/** In the order in which they are tried. */
export const deadlinesForm = z.array(ruleForm, 'must be a list').max(500);

type GivenRules = z.output<typeof deadlinesForm>;

interface Sections {
  readonly orderDetail: readonly string[];
  readonly receiptDetail: readonly string[];
}

type RuleProblem = readonly [index: number, key: string, message: string];

export function findRuleProblems(rules: GivenRules, calendars: Calendars, sections: Sections): RuleProblem[] {
  return rules.flatMap((it, index) =>
    [
      ...problemsOfCalendar(it, calendars),
      ...problemsOfSections(it, sections),
      ...problemsOfOrder(it, rules.slice(0, index)),
    ].map(([key, message]) => [index, key, message] as const),
  );
}

export const findUnusedCalendars = (rules: GivenRules, calendars: Calendars): readonly string[] =>
  [...calendars.keys()].filter((name) => rules.every(({ calendar }) => calendar !== name));

type Problem = readonly [key: string, message: string];

function problemsOfCalendar({ calendar, due, by }: GivenRules[number], calendars: Calendars): readonly Problem[] {
  const found = calendars.get(calendar);
  if (!found) return [['calendar', `is not known; known are ${[...calendars.keys()].join(', ') || 'none'}`]];
  const cutOffs = Object.entries({ ...found.cutOffs, ...found.specialDays });
  const late = cutOffs.find(([, cutOff]) => due === 'sameDay' && cutOff !== undefined && by < cutOff);
  return late ? [['by', `must not be before the cut-off of ${late[0]}, which is ${late[1]}`]] : [];
}

function problemsOfSections({ kind, carriers, services, of = '' }: GivenRules[number], sections: Sections) {
  const own = kindOf(kind).sections;
  if (!own) return [];
  const { setting, savedElements } = own;
  const variable = `WAREHOUSE_${setting.replace('Detail', '_Detail').toUpperCase()}`;
  const needed = [
    [carriers ? 'carriers' : services && 'services', 'smallParcel'],
    [isSavedElement(of) ? 'of' : undefined, savedElements],
  ] as const;
  return needed.flatMap(([key, section]): readonly Problem[] =>
    key === undefined || sections[setting].includes(section)
      ? []
      : [[key, `can never match: ${setting} (${variable}) lacks ${section}, which has it`]],
  );
}

function problemsOfOrder(it: GivenRules[number], above: GivenRules): readonly Problem[] {
  if (above.some(({ name }) => name === it.name)) return [['name', 'repeats that of a rule above']];
  const earlier = above.find((other) => isCovered(withTime(it), withTime(other)));
  return earlier ? [['name', `can never match: ${earlier.name} above it matches everything that it would`]] : [];
}

function withTime<T extends { readonly of?: string | undefined }>(given: T) {
  const { of = CREATED } = given;
  return { ...given, of: isSavedElement(of) ? savedElementDate(of.slice(of.indexOf('.') + 1)) : of };
}

export const toRules = (rules: GivenRules, calendars: Calendars): readonly DeadlineRule[] =>
  rules.flatMap((it) => {
    const calendar = calendars.get(it.calendar);
    return calendar ? [{ ...withTime(it), days: it.days ?? 0, calendar }] : [];
  });
