import type { Change, Observed } from '../lifecycle/lifecycle.ts';
import { orderItemKey, type SubjectKind, type SubjectRef } from './subject.ts';

/** Kind of a stored resource. */
export type ResourceKind = SubjectKind | 'orderItem' | 'user' | 'customer' | 'pickList';

/** Change, with the resources that its announcement embeds. */
export interface EnrichedChange {
  readonly change: Change;
  /** Ids of stored resources, by kind. */
  readonly resources: { readonly [K in ResourceKind]?: string };
}

/** Ids that a retrieval found; they stand in for those that an event does not name. */
export interface FoundIds {
  readonly pickJobId?: string;
  readonly modifiedBy?: string;
}

/** Names the resources that the announcement of each change embeds. */
export function enrich(
  subject: SubjectRef,
  { lifecycle, changes }: Observed,
  found: FoundIds = {},
): readonly EnrichedChange[] {
  const customer = lifecycle.snapshot?.customerId;
  return changes.map((change) => ({
    change,
    resources: { ...ownResource(subject, change), ...(customer && { customer }), ...namedBy(change, found) },
  }));
}

function ownResource({ kind, id }: SubjectRef, { event }: Change): EnrichedChange['resources'] {
  if (event?.orderItemId) return { orderItem: orderItemKey(id, event.orderItemId) };
  // A resource that came with the event is read from its message.
  return event?.shown ? {} : { [kind]: id };
}

function namedBy({ event }: Change, found: FoundIds): EnrichedChange['resources'] {
  const user = event?.plan.includes('getUser') ? (event.userId ?? found.modifiedBy) : undefined;
  const pickList = event?.plan.includes('getOrdersPicklist') ? (event.pickJobId ?? found.pickJobId) : undefined;
  return { ...(user && { user }), ...(pickList && { pickList }) };
}
