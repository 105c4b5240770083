import type { PlannedEvent, WarehouseEvent } from '../src/domain/catalogue/event.ts';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import { planEvent } from '../src/domain/catalogue/planned-event.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Lifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import type { ActivityDeps, WaitingEvent } from './ports.ts';

/** What a batch of events asks for: each operation once. */
export interface RetrievalPlan {
  readonly operations: readonly Operation[];
  /** The users that the events name; where one names none, the subject's last modifier stands in. */
  readonly userIds: readonly string[];
  readonly pickJobId?: string;
  /** The lines of the order that the events are about. */
  readonly orderItemIds?: readonly string[];
  /** The customer as far as it is known already. */
  readonly customerId?: string;
  /** The warehouse does not list the subject any more, so that not finding it is an answer. */
  readonly missing?: boolean;
}

/** The events that wait for a subject, or the oldest of them, and what they ask for. */
export interface Batch {
  readonly eventIds: readonly string[];
  /** Undefined where there is nothing to GET. */
  readonly plan: RetrievalPlan | undefined;
}

/** How many events are recorded together: what they change has to fit into one message to Temporal. */
const EVENTS_PER_BATCH = 500;

/** Reads what waits for a subject. A row that is no event to follow, which only another version can have written, is quarantined. */
export async function readBatch(
  deps: Pick<ActivityDeps, 'subjects' | 'inbox'>,
  subject: SubjectRef,
  refresh: boolean,
): Promise<Batch> {
  const { saved, events: rows } = await deps.subjects.load(subject, EVENTS_PER_BATCH);
  const { events, unreadable } = readEvents(rows);
  if (unreadable.length > 0) await deps.inbox.quarantine(unreadable, 'not an event that this version follows');
  if (events.length === 0 && (await deps.subjects.settle(subject)).length > 0) {
    return readBatch(deps, subject, refresh);
  }
  return {
    eventIds: events.map(({ id }) => id),
    plan: planOf(subject, saved?.lifecycle, events, refresh),
  };
}

/** Reads rows into events, with what the catalogue says of them today. */
export function readEvents(rows: readonly WaitingEvent[]): {
  readonly events: readonly PlannedEvent[];
  readonly unreadable: readonly string[];
} {
  const read = rows.map(({ id, json }) => ({ id, event: readEvent(json) }));
  return {
    events: read.flatMap(({ event }) => event ?? []),
    unreadable: read.flatMap(({ id, event }) => (event ? [] : [id])),
  };
}

function readEvent(json: string): PlannedEvent | undefined {
  try {
    return planEvent(JSON.parse(json) as WarehouseEvent);
  } catch {
    return undefined;
  }
}

function planOf(
  subject: SubjectRef,
  lifecycle: Lifecycle | undefined,
  events: readonly PlannedEvent[],
  refresh: boolean,
): RetrievalPlan | undefined {
  const operations = operationsOf(subject, lifecycle, events, refresh);
  const userIds = events.flatMap(({ userId, plan }) => (userId && plan.includes('getUser') ? [userId] : []));
  const orderItemIds = events.flatMap(({ orderItemId, plan }) =>
    orderItemId && plan.includes('getOrdersItem') ? [orderItemId] : [],
  );
  const pickJobId = events.findLast((event) => event.pickJobId)?.pickJobId;
  const known = lifecycle?.snapshot?.customerId;
  const shown = events.findLast((event) => event.shown?.customerId)?.shown?.customerId;
  const customerId = events.findLast((event) => event.customerId)?.customerId ?? shown ?? known;
  // What came whole in a message needs no GET, but the customer that it is the first to name does.
  if (operations.length === 0 && (shown === undefined || shown === known)) return undefined;
  return {
    operations,
    userIds: [...new Set(userIds)],
    ...(pickJobId && { pickJobId }),
    ...(orderItemIds.length > 0 && { orderItemIds: [...new Set(orderItemIds)] }),
    ...(customerId && { customerId }),
    ...(events.some(({ missing }) => missing) && { missing: true }),
  };
}

function operationsOf(
  { kind }: SubjectRef,
  lifecycle: Lifecycle | undefined,
  events: readonly PlannedEvent[],
  refresh: boolean,
): Operation[] {
  const plan = new Set(events.flatMap((event) => event.plan));
  const retrieval = retrievalOf[kind];
  // A line alone does not tell whose order it is of, nor how many lines there are.
  const isUnknown = plan.has('getOrdersItem') && !lifecycle?.snapshot;
  return [...new Set([...(retrieval && (refresh || isUnknown) ? [retrieval] : []), ...plan])];
}
