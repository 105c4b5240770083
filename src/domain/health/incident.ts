import { cut, plural } from '../../base/text.ts';
import type { mainKind } from '../kinds/kinds.ts';
import type { DestinationRef, IdentityRef } from '../routing.ts';
import { type ConditionName, factsOf } from './condition.ts';

export interface Acknowledgement {
  readonly by: string;
  readonly at: number;
  readonly sort: string;
  readonly count: number;
}

/** Cause at a place, from which everything that shows what is wrong takes it. */
export interface Incident {
  readonly condition: ConditionName;
  /** `9104`, `9104/hub`, `order:9104:316266606`; empty for the installation. */
  readonly place: string;
  /** Present form, such as the status of the answers; it may change. */
  readonly sort: string;
  /** Things that it names; who was told of the same ones is not told of another form. */
  readonly named?: string;
  /** In a sentence, without a period. */
  readonly title: string;
  /** True once it is over; without a period. */
  readonly ended: string;
  /** Things that it holds up, perhaps more. */
  readonly count: number;
  readonly isMore: boolean;
  readonly unit: typeof mainKind | 'record' | 'announcement' | 'webhook' | 'difference' | null;
  /** The id is null while it is not known whose they are. */
  readonly customers: readonly { readonly id: string | null; readonly name: string | null; readonly count: number }[];
  readonly atRisk: number;
  readonly since: number;
  /** Last answer, or another known reason. */
  readonly because: string | null;
  readonly nextTryAt: number | null;
  readonly destination: (DestinationRef & IdentityRef) | null;
  readonly path: string;
  /** Ended for another reason than that all is well: only those hear of it who were told. */
  readonly isOver: boolean;
  /** Button for the action that helps; null if it is on the page. */
  readonly action: { readonly name: string; readonly path: string } | null;
  readonly acknowledged: Pick<Acknowledgement, 'by' | 'at'> | null;
}

/** As a search finds it, which leaves out what there is none of. An unknown beginning counts from when it was noticed. */
export type Found = Pick<Incident, 'title' | 'ended'> &
  Partial<Omit<Incident, 'condition' | 'title' | 'ended' | 'since' | 'acknowledged'>> & {
    readonly since?: number | null;
  };

export const toIncident = (condition: ConditionName, { since, ...found }: Found, noticedAt: number): Incident => ({
  condition,
  place: '',
  path: '/board/system',
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

/** A start in the future is one from before a clock was set right. */
export const hasLasted = (since: number, now: number, ms: number): boolean => since > now || now - since >= ms;

export const nameOf = ({ condition, place }: { readonly condition: string; readonly place: string }): string =>
  place === '' ? condition : `${condition}@${place}`;

const MAGNITUDE = 10;

export const hasGrown = ({ count }: Pick<Incident, 'count'>, known: number): boolean =>
  count >= MAGNITUDE * Math.max(1, known);

/** Not if it has become another or a worse one since. */
export const isCovered = (incident: Incident, { at, sort, count }: Acknowledgement): boolean =>
  incident.since <= at && incident.sort === sort && !hasGrown(incident, count);

export const byUrgency = (a: Incident, b: Incident): number =>
  Number(factsOf(b.condition).isUrgent ?? false) - Number(factsOf(a.condition).isUrgent ?? false) ||
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

/** Also whose that is, and how much is at risk; null if it is nothing, or the title has said it. */
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

/** Characters. */
const REASON = 300;

/** One line of limited length, without a period; null where a text has said it, by default the title. */
export function reasonIn({ because, title }: Pick<Incident, 'because' | 'title'>, said = title): string | null {
  if (because === null) return null;
  const line = because.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  const reason = line.length > REASON ? `${cut(line, REASON)}…` : line;
  return said.includes(reason) ? null : reason;
}
