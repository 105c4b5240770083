import type { Retrieved, RetrieveInput } from '../activities/retrieve.ts';
import { observeBatch } from '../src/domain/batch.ts';
import type { Operation } from '../src/domain/catalogue.ts';
import type { SignaledEvent } from '../src/domain/event.ts';
import type { Lifecycle } from '../src/domain/lifecycle.ts';
import { retrievalOf } from '../src/domain/subject.ts';
import type { ActivityProxies } from './activities.ts';
import { advance } from './advancing.ts';
import { type LifeState, note, remember } from './state.ts';
import { brief, describeRetrieval } from './timeline.ts';
import { show } from './visibility.ts';

/** How many events are taken in at once: what they change has to fit into one message to Temporal. */
const EVENTS_PER_BATCH = 500;

/** Takes in what waits: one retrieval for the whole batch, one observation. What is known already comes with the first. */
export async function takeIn(state: LifeState, activities: ActivityProxies): Promise<void> {
  const batch = state.queue.slice(0, EVENTS_PER_BATCH);
  const refreshes = state.refreshesAsked;
  const seen = new Set(state.lifecycle.seen);
  const fresh = batch.filter(({ id }) => !seen.has(id));
  const request = requestOf(state, fresh, refreshes > state.refreshesDone);
  const retrieves = request.plan.length > 0 || bringsCustomer(state, fresh);
  const input = { request, events: fresh, lifecycle: state.lifecycle, announce: state.outbox.length === 0 };
  const taken = retrieves ? await activities.takeIn(summaryOf(request, fresh), input) : undefined;
  const { retrieved, published } = taken ?? {};
  if (retrieved?.recollection !== undefined) remember(state, retrieved.recollection);
  if (!state.isRecalled) await recallInto(state, activities);
  if (retrieved) noteRetrieval(state, request, retrieved);

  const { kind } = state.subject;
  const observing = (lifecycle: Lifecycle) =>
    observeBatch(lifecycle, {
      ...{ kind, events: fresh, snapshot: retrieved?.snapshot ?? null },
      now: published?.at ?? Date.now(),
    });
  await advance(state, activities, observing, { found: retrieved, published });
  state.queue.splice(0, batch.length);
  state.refreshesDone = refreshes;
  show(state);
}

/** What was recorded before (by a run that completed, or by one that Temporal has lost) goes on where it was. */
export async function recallInto(state: LifeState, { recall }: Pick<ActivityProxies, 'recall'>): Promise<void> {
  remember(state, await recall('what is known already', state.subject));
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
    ...(!state.isRecalled && { recall: true }),
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
