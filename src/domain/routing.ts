import type { AnnouncementType } from './catalogue/announced.ts';
import type { SubjectKind } from './catalogue/subject.ts';
import type { Extent } from './detail.ts';
import type { Milestone } from './lifecycle/milestone.ts';

/** Destination of a tenant. */
export interface DestinationRef {
  readonly tenant: string;
  readonly name: string;
}

/**
 * Identity of a destination, from when it is added or first configured: the name that it had then, behind which one that was added has a
 * mark of its own. It stays when the destination is renamed, and a name that is given again is somebody else.
 */
export type Identity = string;

/** Destination of a tenant by its identity. */
export interface IdentityRef {
  readonly tenant: string;
  readonly id: Identity;
}

/** Stands between the name and the mark; no name has it. */
const MARK = '~';

/** Returns the identity of a destination that is added, with its mark. */
export const identityWith = (name: string, mark: string): Identity => `${name}${MARK}${mark}`;

/** Reports whether an identity has a mark: without one, whoever has its name has it. */
export const isMarked = (identity: Identity): boolean => identity.includes(MARK);

/** Returns the name in an identity: the one that the destination had first. */
export const nameIn = (identity: Identity): string => identity.split(MARK, 1)[0] ?? identity;

/** Changes that a destination wants. An absent or empty list means all. */
export interface DestinationFilter {
  readonly kinds?: readonly SubjectKind[] | undefined;
  /** Types of announcements without `dockline.`, in which `*` stands for any text: `order.packed`, `receipt.*`, `*.canceled`. */
  readonly types?: readonly string[] | undefined;
  /** Ids of customers. */
  readonly customers?: readonly string[] | undefined;
}

/** Change that may concern a destination. */
export interface Routable {
  readonly kind: SubjectKind;
  readonly milestone: Milestone;
  /** Customer of the subject; null while it is unknown. */
  readonly customerId: string | null;
}

/** Reports whether a destination wants a change. One with customers gets nothing of which the customer is unknown. */
export const wants = ({ kinds, types, customers }: DestinationFilter, { kind, milestone, customerId }: Routable) =>
  isAmong(kinds, (it) => it === kind) &&
  isAmong(types, (pattern) => matchesType(pattern, `dockline.${kind}.${milestone}` as AnnouncementType)) &&
  isAmong(customers, (it) => it === customerId);

const isAmong = <T>(wanted: readonly T[] = [], isIt: (one: T) => boolean): boolean =>
  wanted.length === 0 || wanted.some(isIt);

/** Reports whether a pattern names a type of announcements. */
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

/** Destination of the configuration, without what is secret. */
export interface ConfiguredDestination extends DestinationFilter, Extent {
  /** Undefined for an only warehouse, whose tenant the messages name. */
  readonly tenant: string | undefined;
  readonly name: string;
  readonly address: string;
  /** Its receiver can fetch what is left out. */
  readonly hasRecordsToken?: boolean | undefined;
}
