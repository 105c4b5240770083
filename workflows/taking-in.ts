import type { Retrieved, RetrieveInput } from '../activities/retrieve.ts';
import type { Operation } from '../src/domain/catalogue.ts';
import type { SignaledEvent } from '../src/domain/event.ts';
import { observe } from '../src/domain/observe.ts';
import type { Snapshot } from '../src/domain/snapshot.ts';
import { retrievalOf } from '../src/domain/subject.ts';
import type { ActivityProxies } from './activities.ts';
import { type LifeState, note, take } from './state.ts';
import { brief, describeRetrieval } from './timeline.ts';
import { show } from './visibility.ts';

/** Takes in all that waits: one retrieval for the whole batch, one observation. */
export async function takeIn(state: LifeState, { retrieve }: Pick<ActivityProxies, 'retrieve'>): Promise<void> {
  const batch = [...state.queue];
  const refreshes = state.refreshesAsked;
  const seen = new Set(state.lifecycle.seen);
  const fresh = batch.filter(({ id }) => !seen.has(id));
  const request = requestOf(state, fresh, refreshes > state.refreshesDone);
  const retrieved =
    request.plan.length > 0 || bringsCustomer(state, fresh)
      ? await retrieve.executeWithOptions({ summary: summaryOf(request, fresh) }, [request])
      : undefined;

  state.queue.splice(0, batch.length);
  state.refreshesDone = refreshes;
  if (retrieved) noteRetrieval(state, request, retrieved);
  take(state, observe(state.lifecycle, fresh, snapshotOf(state, retrieved)), retrieved);
  show(state);
}

/** What is gone, or a stock summary, which names no customer, adds to what was known; every other snapshot is whole. */
function snapshotOf({ subject, lifecycle }: LifeState, retrieved: Retrieved | undefined): Snapshot | null {
  const snapshot = retrieved?.snapshot ?? null;
  const adds = snapshot?.status === 'gone' || subject.kind === 'stock';
  return snapshot && adds ? { ...lifecycle.snapshot, ...snapshot } : snapshot;
}

function requestOf(state: LifeState, events: readonly SignaledEvent[], refreshing: boolean): RetrieveInput {
  const { subject, lifecycle } = state;
  const userIds = events.flatMap((event) => (event.userId && event.plan.includes('getUser') ? [event.userId] : []));
  const orderItemIds = events.flatMap(({ orderItemId, plan }) =>
    orderItemId && plan.includes('getOrdersItem') ? [orderItemId] : [],
  );
  const pickJobId = events.findLast((event) => event.pickJobId)?.pickJobId;
  const customerId =
    events.findLast((event) => event.customerId)?.customerId ??
    events.findLast((event) => event.shown?.customerId)?.shown?.customerId ??
    lifecycle.snapshot?.customerId;
  return {
    subject,
    plan: planOf(state, events, refreshing),
    userIds: [...new Set(userIds)],
    ...(pickJobId && { pickJobId }),
    ...(orderItemIds.length > 0 && { orderItemIds: [...new Set(orderItemIds)] }),
    ...(customerId && { customerId }),
    ...(events.some(({ missing }) => missing) && { missing: true }),
  };
}

function planOf({ subject, lifecycle }: LifeState, events: readonly SignaledEvent[], refreshing: boolean): Operation[] {
  const plan = new Set(events.flatMap((event) => event.plan));
  const retrieval = retrievalOf[subject.kind];
  // A line alone does not tell whose order it is of, nor how many lines there are.
  const isUnknown = plan.has('getOrdersItem') && !lifecycle.snapshot;
  return [...new Set([...(retrieval && (refreshing || isUnknown) ? [retrieval] : []), ...plan])];
}

/** What came whole in a message needs no GET, but the customer that it is the first to name does. */
function bringsCustomer({ lifecycle }: LifeState, events: readonly SignaledEvent[]): boolean {
  const customerId = events.findLast((event) => event.shown?.customerId)?.shown?.customerId;
  return customerId !== undefined && customerId !== lifecycle.snapshot?.customerId;
}

const summaryOf = ({ plan }: RetrieveInput, events: readonly SignaledEvent[]): string =>
  `${plan.join(', ') || 'getCustomer'} for ${brief([...new Set(events.map(({ name }) => name))]) || 'a refresh'}`;

function noteRetrieval(state: LifeState, { plan }: RetrieveInput, { refused }: Retrieved): void {
  if (plan.length === 0) return;
  state.refused = refused;
  note(state, describeRetrieval(Date.now(), plan, refused));
}
