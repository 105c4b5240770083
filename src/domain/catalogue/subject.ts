import type { Operation } from './operation.ts';

/** What has a life of its own that a workflow follows, and the operation that returns it; null where none is shown. */
export const retrievalOf = {
  order: 'getOrder',
  receipt: 'getReceiver',
  adjustment: 'getAdjustment',
  assembly: 'getAssembly',
  item: 'getItem',
  /** What is there of one item with one qualifier in one facility. */
  stock: 'getStockSummaries',
  /** A received item that is put on hold or released from it. */
  hold: null,
} as const satisfies Record<string, Operation | null>;

/** The kinds of what is followed. */
export type SubjectKind = keyof typeof retrievalOf;

/** All kinds, orders first. */
export const subjectKinds = Object.keys(retrievalOf) as [SubjectKind, ...SubjectKind[]];

/** What many of a kind are called; a CloudEvent's `subject` begins with it. */
export const collectionOf = {
  order: 'orders',
  receipt: 'receipts',
  adjustment: 'adjustments',
  assembly: 'assemblies',
  item: 'items',
  stock: 'stock',
  hold: 'holds',
} as const satisfies Record<SubjectKind, string>;

/** An order, receipt, item, … of one warehouse tenant. */
export interface SubjectRef {
  readonly tenant: string;
  readonly kind: SubjectKind;
  readonly id: string;
}

/** The workflow id, partition key and dispatch key of a subject: `order:9104:31004581`. */
export function subjectKey({ kind, tenant, id }: SubjectRef): string {
  return `${kind}:${tenant}:${id}`;
}

/** The inverse of {@link subjectKey}; undefined for a key that is not a subject's. */
export function parseSubjectKey(key: string): SubjectRef | undefined {
  const [, kind = '', tenant, id] = /^([^:]+):([^:]+):([^:]+)$/.exec(key) ?? [];
  return tenant && id && isSubjectKind(kind) ? { tenant, kind, id } : undefined;
}

/** The id of one line of an order among all of its tenant's: `31004581/310045810`. */
export function orderItemKey(orderId: string, orderItemId: string): string {
  return `${orderId}/${orderItemId}`;
}

/** The id of an announcement, the same through retries and runs: `order:9104:31004581/3/packed`. */
export function announcementId(
  subject: SubjectRef,
  change: { readonly revision: number; readonly milestone: string },
): string {
  return `${subjectKey(subject)}/${change.revision}/${change.milestone}`;
}

/** An announcement's id without its subject: `3/packed`. */
export const withoutSubject = (id: string): string => id.split('/').slice(1).join('/');

function isSubjectKind(kind: string): kind is SubjectKind {
  return Object.hasOwn(retrievalOf, kind);
}
