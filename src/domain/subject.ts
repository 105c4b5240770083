import type { Operation } from './catalogue.ts';

/** What has a life of its own that a workflow follows, and the operation that returns it. */
export const retrievalOf = {
  order: 'getOrder',
  receipt: 'getReceiver',
  adjustment: 'getAdjustment',
  assembly: 'getAssembly',
} as const satisfies Record<string, Operation>;

/** The kinds of what is followed. */
export type SubjectKind = keyof typeof retrievalOf;

/** An order, receipt, adjustment or assembly of one warehouse operator. */
export interface SubjectRef {
  readonly tenant: string;
  readonly kind: SubjectKind;
  readonly id: string;
}

/** Whether what an event is about is followed by a workflow. */
export function isSubjectKind(subject: string): subject is SubjectKind {
  return Object.hasOwn(retrievalOf, subject);
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

/** The id of an announcement, the same through retries and runs: `order:9104:31004581/3/packed`. */
export function announcementId(
  subject: SubjectRef,
  change: { readonly revision: number; readonly milestone: string },
): string {
  return `${subjectKey(subject)}/${change.revision}/${change.milestone}`;
}
