import type { AnnouncementType, SubjectKind } from './catalogue/subject.ts';
import type { Milestone } from './lifecycle/milestone.ts';

export interface DestinationRef {
  readonly tenant: string;
  readonly name: string;
}

export const destinationName = ({ tenant, name }: DestinationRef): string =>
  `destination ${name} of warehouse ${tenant}`;

/** Kept when a destination is renamed. A name that is given again has another identity. */
export type Identity = string;

export interface IdentityRef {
  readonly tenant: string;
  readonly id: Identity;
}

/** Behind the name of a removed destination, which another may have by now; no name ends like it. */
export const REMOVED = ' (removed)';

/** Absent or empty means all. */
export interface DestinationFilter {
  readonly kinds?: readonly SubjectKind[] | undefined;
  /** Without `dockline.`; `*` stands for any text: `order.packed`, `receipt.*`, `*.canceled`. */
  readonly types?: readonly string[] | undefined;
  readonly customers?: readonly string[] | undefined;
}

interface Routable {
  readonly kind: SubjectKind;
  readonly milestone: Milestone;
  /** Null while it is unknown. */
  readonly customerId: string | null;
}

export const wants = ({ kinds, types, customers }: DestinationFilter, { kind, milestone, customerId }: Routable) =>
  isAmong(kinds, (it) => it === kind) &&
  isAmong(types, (pattern) => matchesType(pattern, `dockline.${kind}.${milestone}` as AnnouncementType)) &&
  isAmong(customers, (it) => it === customerId);

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
