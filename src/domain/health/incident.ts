import { cut, plural } from '../../base/text.ts';
import type { DestinationRef, IdentityRef } from '../routing.ts';
import { type ConditionName, factsOf } from './condition.ts';

export interface CustomerCount {
  /** Null while it is not known whose they are. */
  readonly id: string | null;
  readonly name: string | null;
  readonly count: number;
}

/** By a person, of an incident as it was at a time. */
export interface Acknowledgement {
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sort: string;
  readonly count: number;
}

/** Cause at a place, which everything that shows what is wrong takes from here. Times are milliseconds since the epoch. */
export interface Incident {
  readonly condition: ConditionName;
  /** Tells it from others of the condition: `9104`, `9104/hub`, `order:9104:316266606`; empty for the installation. */
  readonly place: string;
  /** Its present form, such as the status of the answers; an incident may change from one to another. */
  readonly sort: string;
  /** Cause in a sentence, without a period. */
  readonly title: string;
  /** Sentence that is true once it is over, without a period. */
  readonly ended: string;
  /** Number of things that it holds up, of which there may be more, and what they are. */
  readonly count: number;
  readonly isMore: boolean;
  readonly unit: 'order' | 'record' | 'announcement' | 'webhook' | 'difference' | null;
  /** Those of the most things first. */
  readonly customers: readonly CustomerCount[];
  /** Number of those that are at risk of being late. */
  readonly atRisk: number;
  readonly since: number;
  /** Last answer, or what else is known of the reason. */
  readonly because: string | null;
  readonly nextTryAt: number | null;
  /** Destination that it is of; null for none. */
  readonly destination: (DestinationRef & IdentityRef) | null;
  /** Page of the board where it is fixed. */
  readonly path: string;
  /** It has ended for another reason than that all is well again, of which only those hear who were told of it. */
  readonly isOver: boolean;
  /** Path of the action that helps, for its button; null if that is on the page. */
  readonly action: { readonly name: string; readonly path: string } | null;
  readonly acknowledged: Pick<Acknowledgement, 'by' | 'at'> | null;
}

type Rare =
  | 'sort'
  | 'count'
  | 'isMore'
  | 'unit'
  | 'customers'
  | 'atRisk'
  | 'because'
  | 'nextTryAt'
  | 'destination'
  | 'action'
  | 'isOver';

/** As a search has it. An unknown beginning is null: it counts from when it was noticed. */
export type Found = Omit<Incident, Rare | 'since' | 'condition' | 'acknowledged'> &
  Partial<Pick<Incident, Rare>> & { readonly since: number | null };

export const toIncident = (condition: ConditionName, { since, ...found }: Found, noticedAt: number): Incident => ({
  condition,
  sort: '',
  count: 0,
  isMore: false,
  unit: null,
  customers: [],
  atRisk: 0,
  because: null,
  nextTryAt: null,
  destination: null,
  action: null,
  isOver: false,
  acknowledged: null,
  ...found,
  since: since ?? noticedAt,
});

/** Name of an incident, the same wherever it is shown. */
export const nameOf = ({ condition, place }: Pick<Incident, 'condition' | 'place'>): string =>
  place === '' ? condition : `${condition}@${place}`;

/** Growth of which people are told. */
const MAGNITUDE = 10;

export const hasGrown = ({ count }: Pick<Incident, 'count'>, known: number): boolean =>
  count >= MAGNITUDE * Math.max(1, known);

/** Reports whether an acknowledgement is of this incident, which has not become another or a worse one since. */
export const isCovered = (incident: Incident, { at, sort, count }: Acknowledgement): boolean =>
  incident.since <= at && incident.sort === sort && !hasGrown(incident, count);

/** Sorts incidents: the urgent ones first, then those that hold up most. */
export const byUrgency = (a: Incident, b: Incident): number =>
  Number(factsOf(b.condition).isUrgent) - Number(factsOf(a.condition).isUrgent) ||
  b.count - a.count ||
  a.since - b.since;

/** `15 orders`, `10,000 or more webhooks`. */
export function countThings({ count, isMore, unit }: Pick<Incident, 'count' | 'isMore' | 'unit'>): string {
  const words = plural(count, unit ?? 'thing');
  return isMore ? words.replace(' ', ' or more ') : words;
}

/** `Cobalt 9, Alder 6, 3 not known yet`. */
export const nameCustomers = (customers: Incident['customers']): string =>
  customers
    .map(({ id, name, count }) =>
      id === null ? `${count.toLocaleString('en-US')} not known yet` : `${name ?? id} ${count.toLocaleString('en-US')}`,
    )
    .join(', ');

/** Says what an incident holds up, whose that is, and how much of it is at risk; null if it is nothing, or if the title has said it. */
export function sayHeldUp(incident: Incident): string | null {
  const { count, customers, atRisk, unit } = incident;
  // A difference waits for nothing: it has been corrected.
  if (count === 0 || unit === null || unit === 'difference') return null;
  const known = customers.some(({ id }) => id !== null);
  const whose = known ? ` (${nameCustomers(customers)})` : '';
  const isSaid = incident.title.startsWith(countThings(incident));
  const late =
    atRisk > 0 && !(isSaid && atRisk === count) ? `${atRisk.toLocaleString('en-US')} at risk of being late` : '';
  if (isSaid) return late || null;
  return `${countThings(incident)} wait${count === 1 ? 's' : ''}${whose}${late && `; ${late}`}`;
}

/** In characters. */
const REASON = 300;

/** One line of limited length, without a period. */
export function reasonIn({ because }: Pick<Incident, 'because'>): string | null {
  if (because === null) return null;
  const line = because.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  return line.length > REASON ? `${cut(line, REASON)}…` : line;
}
