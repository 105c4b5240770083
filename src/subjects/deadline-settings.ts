import { z } from 'zod';
import type { SubjectKind } from '../domain/catalogue/subject.ts';
import { END_OF_DAY } from '../domain/deadlines/calendar.ts';
import {
  CREATED,
  type DeadlineRule,
  datesOf,
  hasSavedElements,
  isCovered,
  isSavedElement,
  kindsWithDeadlines,
  reckonings,
  savedElementDate,
} from '../domain/deadlines/rule.ts';
import { wholeNumber } from '../forms/numbers.ts';
import { section, whenParsed } from '../forms/section.ts';
import { type Calendars, clockTime } from './calendar-settings.ts';

/** Default time before a subject is due at which it is at risk, in milliseconds. */
const USUAL_RISK_MS = 7_200_000;

/** Longest such time: 30 days. */
const LONGEST_RISK_MS = 2_592_000_000;

const values = z
  .array(z.string().trim().min(1, 'must not be empty'), 'must be a list')
  .min(1, 'must name at least one, or be left out for all')
  .optional();

export const ruleForm = section({
  name: z
    .string()
    .regex(/^[^\p{Cc}:]{1,60}$/u, 'must be of at most 60 characters, without a colon')
    .describe('Name, unique among the rules of the warehouse. The board and alerts say it.'),
  kind: z
    .enum(kindsWithDeadlines)
    .default('order')
    .describe(`Kind of subjects: ${kindsWithDeadlines.join(', ')}.`),
  customers: values.describe('Ids of the customers. Default: all.'),
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
  atRiskMs: wholeNumber(0, LONGEST_RISK_MS)
    .default(USUAL_RISK_MS)
    .describe('How long before the due time it counts as at risk, in milliseconds; by default two hours.'),
}).superRefine((given, { addIssue }) => {
  for (const [key, message] of contradictionsOf(given)) addIssue({ code: 'custom', path: [key], message });
}, whenParsed);

type GivenRule = Pick<DeadlineRule, 'kind' | 'due'> & { readonly [key: string]: unknown };

function contradictionsOf({ kind, due, days, of, ...rest }: GivenRule): readonly (readonly [string, string])[] {
  const counts = due === 'workingDays';
  return [
    ...(counts && days === undefined ? [['due', 'needs days, the number of working days'] as const] : []),
    ...(!counts && days !== undefined ? [['days', `is only for due: workingDays, not for ${due}`] as const] : []),
    ...(due === 'date' && of === undefined ? [['due', 'needs of, the date of the record'] as const] : []),
    ...(of !== undefined && !isDateOf(kind, String(of)) ? [['of', describeDates(kind)] as const] : []),
    ...(['carriers', 'services'] as const).flatMap((key) =>
      kind !== 'order' && rest[key] !== undefined ? [[key, 'is only for orders'] as const] : [],
    ),
  ];
}

const isDateOf = (kind: SubjectKind, of: string): boolean =>
  datesOf(kind).includes(of) || (hasSavedElements(kind) && isSavedElement(of));

function describeDates(kind: SubjectKind): string {
  const names = [...datesOf(kind), ...(hasSavedElements(kind) ? ['savedElements.<name>'] : [])];
  return `is no time of ${kind === 'order' ? 'an' : 'a'} ${kind}; known are ${names.join(', ')}`;
}

/** Form of the rules of a tenant, in the order in which they are tried. */
export const deadlinesForm = z.array(ruleForm, 'must be a list').max(500);

/** Rules that are not joined with their calendars yet. */
type GivenRules = z.output<typeof deadlinesForm>;

/** Optional sections of records, which have some of the facts that rules name. */
export interface Sections {
  readonly orderDetail: readonly string[];
  readonly receiptDetail: readonly string[];
}

/** Problem of a rule: its index, the key, and what is wrong. */
type RuleProblem = readonly [index: number, key: string, message: string];

/** Returns what is wrong with rules beside each other, their calendars and the sections that are fetched. */
export function findRuleProblems(rules: GivenRules, calendars: Calendars, sections: Sections): RuleProblem[] {
  return rules.flatMap((it, index) =>
    [
      ...problemsOfCalendar(it, calendars),
      ...problemsOfSections(it, sections),
      ...problemsOfOrder(it, rules.slice(0, index)),
    ].map(([key, message]) => [index, key, message] as const),
  );
}

/** Returns the names of the calendars that no rule uses. */
export const findUnusedCalendars = (rules: GivenRules, calendars: Calendars): readonly string[] =>
  [...calendars.keys()].filter((name) => rules.every(({ calendar }) => calendar !== name));

/** Sentence about an unused calendar. */
export const UNUSED_CALENDAR = 'is used by no deadline';

type Problem = readonly [key: string, message: string];

function problemsOfCalendar({ calendar, due, by }: GivenRules[number], calendars: Calendars): readonly Problem[] {
  const found = calendars.get(calendar);
  if (!found) return [['calendar', `is not known; known are ${[...calendars.keys()].join(', ') || 'none'}`]];
  const cutOffs = Object.entries({ ...found.cutOffs, ...found.specialDays });
  const late = cutOffs.find(([, cutOff]) => due === 'sameDay' && cutOff !== undefined && by < cutOff);
  return late ? [['by', `must not be before the cut-off of ${late[0]}, which is ${late[1]}`]] : [];
}

function problemsOfSections({ kind, carriers, services, of = '' }: GivenRules[number], sections: Sections) {
  const { orderDetail, receiptDetail } = sections;
  const routed = carriers ? 'carriers' : services ? 'services' : undefined;
  const [detail, wanted, setting] =
    kind === 'receipt'
      ? ([receiptDetail, 'SavedElements', 'receiptDetail (WAREHOUSE_RECEIPT_DETAIL)'] as const)
      : ([orderDetail, 'savedElements', 'orderDetail (WAREHOUSE_ORDER_DETAIL)'] as const);
  const needs = (section: string) => `can never match: ${setting} lacks ${section}, which has it`;
  return [
    ...(routed && !detail.includes('smallParcel') ? [[routed, needs('smallParcel')] as const] : []),
    ...(isSavedElement(of) && !detail.includes(wanted) ? [['of', needs(wanted)] as const] : []),
  ];
}

function problemsOfOrder(it: GivenRules[number], above: GivenRules): readonly Problem[] {
  if (above.some(({ name }) => name === it.name)) return [['name', 'repeats that of a rule above']];
  const earlier = above.find((other) => isCovered(withTime(it), withTime(other)));
  return earlier ? [['name', `can never match: ${earlier.name} above it matches everything that it would`]] : [];
}

/** Returns a rule with the name of the time that it counts from, as the domain writes it. */
function withTime<T extends { readonly of?: string | undefined }>(given: T) {
  const { of = CREATED } = given;
  return { ...given, of: isSavedElement(of) ? savedElementDate(of.slice(of.indexOf('.') + 1)) : of };
}

/** Joins rules with their calendars. Rules with problems are left out. */
export const toRules = (rules: GivenRules, calendars: Calendars): readonly DeadlineRule[] =>
  rules.flatMap((it) => {
    const calendar = calendars.get(it.calendar);
    return calendar ? [{ ...withTime(it), days: it.days ?? 0, calendar }] : [];
  });
