import type { AnnouncementType } from './catalogue/announced.ts';
import type { SubjectKind } from './catalogue/subject.ts';
import type { Milestone } from './lifecycle/milestone.ts';

export interface DestinationRef {
  readonly tenant: string;
  readonly name: string;
}

/** Identity of a destination, which it keeps under another name. A name that is given again is that of another destination. */
export type Identity = string;

export interface IdentityRef {
  readonly tenant: string;
  readonly id: Identity;
}

/** Stands behind the name of a destination that was removed, which somebody else may have by now; no name has it. */
export const REMOVED = ' (removed)';

/** Changes that a destination wants. An absent or empty list means all. */
export interface DestinationFilter {
  readonly kinds?: readonly SubjectKind[] | undefined;
  /** Types of announcements without `dockline.`, in which `*` stands for any text: `order.packed`, `receipt.*`, `*.canceled`. */
  readonly types?: readonly string[] | undefined;
  /** Ids of customers. */
  readonly customers?: readonly string[] | undefined;
}

interface Routable {
  readonly kind: SubjectKind;
  readonly milestone: Milestone;
  /** Null while it is unknown. */
  readonly customerId: string | null;
}

/** Reports whether a destination wants a change. One with customers gets nothing of which the customer is unknown. */
export const wants = ({ kinds, types, customers }: DestinationFilter, { kind, milestone, customerId }: Routable) =>
  isAmong(kinds, (it) => it === kind) &&
  isAmong(types, (pattern) => matchesType(pattern, `dockline.${kind}.${milestone}` as AnnouncementType)) &&
  isAmong(customers, (it) => it === customerId);

/** Returns the identities of the destinations that a change goes to. */
export const route = (
  destinations: readonly { readonly id: Identity; readonly filter: DestinationFilter }[],
  change: Routable,
): readonly Identity[] => destinations.flatMap(({ id, filter }) => (wants(filter, change) ? [id] : []));

const isAmong = <T>(wanted: readonly T[] = [], isIt: (one: T) => boolean): boolean =>
  wanted.length === 0 || wanted.some(isIt);

export function matchesType(pattern: string, type: AnnouncementType): boolean {
  const parts = pattern.replace(/^dockline\./, '').split('*');
  const [first = '', ...rest] = parts;
  const text = type.replace('dockline.', '');
  if (rest.length === 0) return text === first;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length >= at;
}
