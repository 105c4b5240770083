import { kindOf, type SubjectKind, subjectKinds } from '../catalogue/subject.ts';
import { openStagesOf } from '../lifecycle/stage.ts';
import type { Calendar, ClockTime } from './calendar.ts';

/** Something is expected of them, so that they can be due. */
export const kindsWithDeadlines = subjectKinds.filter((kind) => openStagesOf(kind).length > 0) as [
  SubjectKind,
  ...SubjectKind[],
];

/** The working day of a time, some working days after it, or the time itself. */
export const reckonings = ['sameDay', 'workingDays', 'date'] as const;

export interface DeadlineRule {
  readonly name: string;
  readonly kind: SubjectKind;
  /** Each allows one of several values; an absent one allows all. Carriers and services are compared in any case. */
  readonly customers?: readonly string[] | undefined;
  readonly facilities?: readonly string[] | undefined;
  readonly carriers?: readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
  readonly calendar: Calendar;
  readonly due: (typeof reckonings)[number];
  readonly days: number;
  /** One of {@link datesOf}, or a saved element. */
  readonly of: string;
  readonly by: ClockTime;
  readonly atRiskMs: number;
}

export const CREATED = 'created';

const SAVED_ELEMENT = 'savedElements.';

export const savedElementDate = (name: string): string => SAVED_ELEMENT + name.trim().toLowerCase();

export const isSavedElement = (of: string): boolean => of.startsWith(SAVED_ELEMENT) && of.length > SAVED_ELEMENT.length;

/** Besides saved elements. */
export const datesOf = (kind: SubjectKind): readonly string[] => [CREATED, ...(kindOf(kind).dates ?? [])];

export interface DeadlineFacts {
  readonly kind: SubjectKind;
  readonly customerId?: string | undefined;
  readonly facilityId?: string | undefined;
  readonly carrier?: string | undefined;
  readonly service?: string | undefined;
  /** From the event; the record says it better. */
  readonly createdAt?: number | undefined;
  /** As the record has them, by the names that rules use. */
  readonly dates: Readonly<Record<string, string | undefined>>;
}

const conditions = {
  customers: 'customerId',
  facilities: 'facilityId',
  carriers: 'carrier',
  services: 'service',
} as const;

const names = Object.keys(conditions) as (keyof typeof conditions)[];

export const allows = (rule: DeadlineRule, facts: DeadlineFacts): boolean =>
  rule.kind === facts.kind && names.every((name) => isAmong(rule[name], facts[conditions[name]]));

const isAmong = (values: readonly string[] | undefined, value: string | undefined): boolean =>
  values === undefined || (value !== undefined && values.some((it) => folded(it) === folded(value)));

const folded = (value: string): string => value.trim().toLowerCase();

/** Without conditions it matches whatever has the time `of`. */
type Conditions = Pick<DeadlineRule, 'kind' | 'of' | keyof typeof conditions>;

export function isCovered(rule: Conditions, earlier: Conditions): boolean {
  const hasTime = earlier.of === CREATED || earlier.of === rule.of;
  const includes = (name: keyof typeof conditions) =>
    earlier[name] === undefined || (rule[name]?.every((it) => isAmong(earlier[name], it)) ?? false);
  return hasTime && earlier.kind === rule.kind && names.every(includes);
}
