import { words } from '../../base/text.ts';
import type { Kind } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import type { Milestone } from '../lifecycle/milestone.ts';

export type SubjectKind = keyof typeof kinds;

export const subjectKinds = Object.keys(kinds) as [SubjectKind, ...SubjectKind[]];

export const kindOf = (kind: SubjectKind): Kind => kinds[kind];

const tableOf = <M extends 'retrieval' | 'plural' | 'announced'>(member: M) =>
  Object.fromEntries(subjectKinds.map((kind) => [kind, kinds[kind][member]])) as {
    readonly [K in SubjectKind]: (typeof kinds)[K][M];
  };

export const retrievalOf = tableOf('retrieval');

export const collectionOf = tableOf('plural');

type KindsWith<Trait> = { readonly [K in SubjectKind]: (typeof kinds)[K] extends Trait ? K : never }[SubjectKind];

/** Kinds that the warehouse lists by the time of their last change. */
export type SweptKind = KindsWith<{ readonly listing: object }>;

export const isSwept = (kind: SubjectKind): kind is SweptKind => 'listing' in kinds[kind];

export const sweptKinds = subjectKinds.filter(isSwept) as [SweptKind, ...SweptKind[]];

/** Without an id of their own: a row says by itself which one it is. */
export type RowKind = KindsWith<{ readonly filters: object }>;

export const isRow = (kind: string): kind is RowKind => isSubjectKind(kind) && 'filters' in kinds[kind];

export const rowKinds = subjectKinds.filter(isRow);

export type TimedKind = KindsWith<{ readonly isTimed: true }>;

export const timedKinds = subjectKinds.filter((kind) => 'isTimed' in kinds[kind]) as [TimedKind, ...TimedKind[]];

export interface SubjectRef {
  readonly tenant: string;
  readonly kind: SubjectKind;
  readonly id: string;
}

/** In words: `purchase order 31004581`. */
export const recordName = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `${words(kind)} ${id}`;

/** Workflow id, partition key and dispatch key: `order:9104:31004581`. */
export function subjectKey({ kind, tenant, id }: SubjectRef): string {
  return `${kind}:${tenant}:${id}`;
}

export function parseSubjectKey(key: string): SubjectRef | undefined {
  const [, kind = '', tenant, id] = /^([^:]+):([^:]+):([^:]+)$/.exec(key) ?? [];
  return tenant && id && isSubjectKind(kind) ? { tenant, kind, id } : undefined;
}

/** Unique within its tenant: `31004581/310045810`. */
export function orderItemKey(orderId: string, orderItemId: string): string {
  return `${orderId}/${orderItemId}`;
}

/** Stable across retries and runs: `order:9104:31004581/3/packed`. */
export function announcementId(
  subject: SubjectRef,
  change: { readonly revision: number; readonly milestone: string },
): string {
  return `${subjectKey(subject)}/${change.revision}/${change.milestone}`;
}

export const withoutSubject = (id: string): string => id.split('/').slice(1).join('/');

function isSubjectKind(kind: string): kind is SubjectKind {
  return Object.hasOwn(kinds, kind);
}

/** By kind, in a merchant's words. The documentation, the OpenAPI document and the package for consumers are compared with it. */
export const announced = tableOf('announced');

type Announced = typeof announced;

export type AnnouncementType = {
  [K in SubjectKind]: `dockline.${K}.${keyof Announced[K] & string}`;
}[SubjectKind];

export interface AnnouncedType {
  readonly kind: SubjectKind;
  readonly milestone: Milestone;
  /** Markdown. */
  readonly words: string;
}

export const announcementTypes = new Map(
  Object.entries(announced).flatMap(([kind, milestones]) =>
    Object.entries(milestones).map(([milestone, words]): [AnnouncementType, AnnouncedType] => [
      `dockline.${kind}.${milestone}` as AnnouncementType,
      { kind: kind as SubjectKind, milestone: milestone as Milestone, words },
    ]),
  ),
);

export const isWatched = (kind: SubjectKind): boolean => 'stalled' in announced[kind];
