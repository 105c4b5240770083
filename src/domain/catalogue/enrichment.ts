import type { Change, Observed } from '../lifecycle/lifecycle.ts';
import type { Operation } from './operation.ts';
import { orderItemKey, retrievalOf, type SubjectKind, type SubjectRef } from './subject.ts';

/** Members of a subject's announcements. */
export const partKinds = ['orderItem', 'user', 'customer', 'pickList'] as const;

export type ResourceKind = SubjectKind | (typeof partKinds)[number];

/** This batch's or the last GET, a GET from before one that was refused, or the message of the event. */
export const resourceSources = ['warehouse', 'earlier', 'message'] as const;

export type ResourceSource = (typeof resourceSources)[number];

interface OwnResource {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly operation: Operation | null;
  readonly orderItemId?: string;
}

export interface EnrichedChange {
  readonly change: Change;
  readonly own: OwnResource;
  /** Other stored resources, by kind; null for one whose id is not known. */
  readonly parts: { readonly [K in ResourceKind]?: string | null };
}

/** Stand in for those that an event does not name. */
export interface FoundIds {
  readonly pickJobId?: string | undefined;
  readonly modifiedBy?: string | undefined;
}

export function enrich(
  subject: SubjectRef,
  { changes }: Pick<Observed, 'changes'>,
  found: FoundIds = {},
): readonly EnrichedChange[] {
  return changes.map((change) => ({
    change,
    own: ownResource(subject, change),
    parts: { ...(change.customerId && { customer: change.customerId }), ...namedBy(change, found) },
  }));
}

function ownResource({ kind, id }: SubjectRef, { event }: Change): OwnResource {
  const { orderItemId } = event ?? {};
  if (!orderItemId) return { kind, id, operation: retrievalOf[kind] };
  return { kind: 'orderItem', id: orderItemKey(id, orderItemId), operation: 'getOrdersItem', orderItemId };
}

function namedBy({ event }: Change, found: FoundIds): EnrichedChange['parts'] {
  const user = event?.plan.includes('getUser') ? (event.userId ?? found.modifiedBy) : undefined;
  const hasPickList = event?.plan.includes('getOrdersPicklist');
  return { ...(user && { user }), ...(hasPickList && { pickList: event?.pickJobId ?? found.pickJobId ?? null }) };
}
