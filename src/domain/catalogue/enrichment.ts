import type { Change } from '../lifecycle/lifecycle.ts';
import type { Observed } from '../lifecycle/observe.ts';
import { orderItemKey, type SubjectKind, type SubjectRef } from './subject.ts';

/** What a stored resource is of. */
export type ResourceKind = SubjectKind | 'orderItem' | 'user' | 'customer' | 'pickList';

/** A change together with the resources that its announcement is enriched with. */
export interface EnrichedChange {
  readonly change: Change;
  /** Ids of stored resources, by kind. */
  readonly resources: { readonly [K in ResourceKind]?: string };
}

/** What a retrieval found beside the subject; it stands in for what an event does not name. */
export interface FoundIds {
  readonly pickJobId?: string;
  readonly modifiedBy?: string;
}

/** Names the resources of each change. */
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
  // What came with the event is read from its message.
  return event?.shown ? {} : { [kind]: id };
}

function namedBy({ event }: Change, found: FoundIds): EnrichedChange['resources'] {
  const user = event?.plan.includes('getUser') ? (event.userId ?? found.modifiedBy) : undefined;
  const pickList = event?.plan.includes('getOrdersPicklist') ? (event.pickJobId ?? found.pickJobId) : undefined;
  return { ...(user && { user }), ...(pickList && { pickList }) };
}
