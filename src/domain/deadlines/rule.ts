import { type SubjectKind, subjectKinds } from '../catalogue/subject.ts';
import { openStagesOf } from '../lifecycle/stage.ts';
import type { Calendar, ClockTime } from './calendar.ts';

/** Kinds of which something is expected, so that it can be due. */
export const kindsWithDeadlines = subjectKinds.filter((kind) => openStagesOf(kind).length > 0) as [
  SubjectKind,
  ...SubjectKind[],
];

/** Ways to count: the working day of a time, some working days after it, or the time itself. */
export const reckonings = ['sameDay', 'workingDays', 'date'] as const;

/** Rule by which subjects are due. */
export interface DeadlineRule {
  /** Unique within its tenant. */
  readonly name: string;
  readonly kind: SubjectKind;
  /** Conditions, each of which allows one of several values; an absent one allows all. Carriers and services are compared in any case. */
  readonly customers?: readonly string[] | undefined;
  readonly facilities?: readonly string[] | undefined;
  readonly carriers?: readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
  readonly calendar: Calendar;
  readonly due: (typeof reckonings)[number];
  /** Number of working days. */
  readonly days: number;
  /** Name of the time that it counts from: one of {@link datesOf}, or a saved element. */
  readonly of: string;
  /** Clock time on the day on which it is due. */
  readonly by: ClockTime;
  /** Time before it is due at which it is at risk, in milliseconds. */
  readonly atRiskMs: number;
}

/** Time at which the warehouse created the record. */
export const CREATED = 'created';

const SAVED_ELEMENT = 'savedElements.';

/** Returns the name of the time in a saved element, which is compared in any case. */
export const savedElementDate = (name: string): string => SAVED_ELEMENT + name.trim().toLowerCase();

/** Reports whether a rule counts from a saved element. */
export const isSavedElement = (of: string): boolean => of.startsWith(SAVED_ELEMENT) && of.length > SAVED_ELEMENT.length;

const dates: { readonly [K in SubjectKind]?: readonly string[] } = {
  order: [CREATED, 'earliestShipDate', 'shipCancelDate'],
  receipt: [CREATED, 'arrivalDate', 'expectedDate'],
};

/** Returns the times of the records of a kind, besides its saved elements. */
export const datesOf = (kind: SubjectKind): readonly string[] => dates[kind] ?? [CREATED];

/** Reports whether the records of a kind have saved elements. */
export const hasSavedElements = (kind: SubjectKind): boolean => kind in dates;

/** Facts of a subject that decide which rule applies. */
export interface RuleFacts {
  readonly kind: SubjectKind;
  readonly customerId?: string | undefined;
  readonly facilityId?: string | undefined;
  readonly carrier?: string | undefined;
  readonly service?: string | undefined;
}

/** Reports whether the conditions of a rule allow a subject. */
export function allows({ kind, customers, facilities, carriers, services }: DeadlineRule, facts: RuleFacts): boolean {
  return (
    kind === facts.kind &&
    isAmong(customers, facts.customerId) &&
    isAmong(facilities, facts.facilityId) &&
    isAmong(carriers, facts.carrier) &&
    isAmong(services, facts.service)
  );
}

const isAmong = (values: readonly string[] | undefined, value: string | undefined): boolean =>
  values === undefined || (value !== undefined && values.some((it) => folded(it) === folded(value)));

const folded = (value: string): string => value.trim().toLowerCase();

/** Conditions of a rule, and the time that it counts from; a rule without conditions matches whatever has that time. */
type Conditions = Pick<DeadlineRule, 'kind' | 'customers' | 'facilities' | 'carriers' | 'services' | 'of'>;

/** Reports whether everything that a rule would match is matched by an earlier one. */
export function isCovered(rule: Conditions, earlier: Conditions): boolean {
  const conditions = ['customers', 'facilities', 'carriers', 'services'] as const;
  return (
    earlier.kind === rule.kind &&
    (earlier.of === CREATED || earlier.of === rule.of) &&
    conditions.every((name) => includesAll(earlier[name], rule[name]))
  );
}

const includesAll = (values: readonly string[] | undefined, others: readonly string[] | undefined): boolean =>
  values === undefined || (others?.every((it) => isAmong(values, it)) ?? false);
