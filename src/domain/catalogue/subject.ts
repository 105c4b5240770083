import type { Operation } from './operation.ts';

/** Kinds of subjects, each with the operation that returns it; null if there is none. A workflow follows each subject. */
export const retrievalOf = {
  order: 'getOrder',
  receipt: 'getReceiver',
  adjustment: 'getAdjustment',
  assembly: 'getAssembly',
  item: 'getItem',
  /** Stock of one item with one qualifier in one facility. */
  stock: 'getStockSummaries',
  /** Received item that is put on hold or released from it. */
  hold: null,
} as const satisfies Record<string, Operation | null>;

/** Tenant of a subject whose message names none, where none is configured. */
export const UNNAMED_TENANT = 'default';

export type SubjectKind = keyof typeof retrievalOf;

/** All kinds, orders first. */
export const subjectKinds = Object.keys(retrievalOf) as [SubjectKind, ...SubjectKind[]];

/** Kinds that the warehouse lists by the time of their last change. */
export const sweptKinds = ['order', 'receipt', 'adjustment', 'assembly'] as const satisfies readonly SubjectKind[];

export type SweptKind = (typeof sweptKinds)[number];

/** Plural of each kind; the `subject` of a CloudEvent begins with it. */
export const collectionOf = {
  order: 'orders',
  receipt: 'receipts',
  adjustment: 'adjustments',
  assembly: 'assemblies',
  item: 'items',
  stock: 'stock',
  hold: 'holds',
} as const satisfies Record<SubjectKind, string>;

/** Order, receipt, item, … of one warehouse tenant. */
export interface SubjectRef {
  readonly tenant: string;
  readonly kind: SubjectKind;
  readonly id: string;
}

/** Returns the workflow id, partition key and dispatch key of a subject: `order:9104:31004581`. */
export function subjectKey({ kind, tenant, id }: SubjectRef): string {
  return `${kind}:${tenant}:${id}`;
}

/** Parses the key of a subject; undefined for any other text. */
export function parseSubjectKey(key: string): SubjectRef | undefined {
  const [, kind = '', tenant, id] = /^([^:]+):([^:]+):([^:]+)$/.exec(key) ?? [];
  return tenant && id && isSubjectKind(kind) ? { tenant, kind, id } : undefined;
}

/** Returns the id of an order line that is unique within its tenant: `31004581/310045810`. */
export function orderItemKey(orderId: string, orderItemId: string): string {
  return `${orderId}/${orderItemId}`;
}

/** Returns the id of an announcement, which is stable across retries and runs: `order:9104:31004581/3/packed`. */
export function announcementId(
  subject: SubjectRef,
  change: { readonly revision: number; readonly milestone: string },
): string {
  return `${subjectKey(subject)}/${change.revision}/${change.milestone}`;
}

/** Removes the subject from an announcement's id: `3/packed`. */
export const withoutSubject = (id: string): string => id.split('/').slice(1).join('/');

function isSubjectKind(kind: string): kind is SubjectKind {
  return Object.hasOwn(retrievalOf, kind);
}
