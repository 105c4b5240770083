import type { PlannedEvent, WarehouseEvent } from '../src/domain/catalogue/event.ts';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import { planEvent } from '../src/domain/catalogue/planned-event.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Lifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import type { ActivityDeps } from './ports/deps.ts';
import type { WaitingEvent } from './ports/recording.ts';

/** Operations that a batch of events asks for, each once, with their parameters. */
export interface RetrievalPlan {
  readonly operations: readonly Operation[];
  /** Users that the events name. */
  readonly userIds: readonly string[];
  /** An event with a user names none, so that the subject's last modifier stands in. */
  readonly needsModifier?: true;
  readonly pickJobId?: string;
  /** Order lines that the events are about. */
  readonly orderItemIds?: readonly string[];
  /** Customer, if it is known already. */
  readonly customerId?: string;
  /** The warehouse no longer lists the subject, so that a 404 is an answer. */
  readonly missing?: boolean;
}

/** Events that wait for a subject, or the oldest of them, and the retrieval that they ask for. */
export interface Batch {
  readonly eventIds: readonly string[];
  /** Undefined if there is nothing to fetch. */
  readonly plan: RetrievalPlan | undefined;
}

/** Maximum number of events recorded together: their changes have to fit into one message to Temporal. */
const EVENTS_PER_BATCH = 500;

/** Reads the events that wait for a subject. Quarantines rows that this version cannot read; only another version writes such. */
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

/** Reads rows into events, with their current row of the catalogue. */
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
  const withUser = events.filter(({ plan }) => plan.includes('getUser'));
  const userIds = withUser.flatMap(({ userId }) => userId ?? []);
  const orderItemIds = events.flatMap(({ orderItemId, plan }) =>
    orderItemId && plan.includes('getOrdersItem') ? [orderItemId] : [],
  );
  const pickJobId = events.findLast((event) => event.pickJobId)?.pickJobId;
  const known = lifecycle?.snapshot?.customerId;
  const shown = events.findLast((event) => event.shown?.customerId)?.shown?.customerId;
  const customerId = events.findLast((event) => event.customerId)?.customerId ?? shown ?? known;
  // An event that carries its resource needs no GET, except for a customer that it names first.
  if (operations.length === 0 && (shown === undefined || shown === known)) return undefined;
  return {
    operations,
    userIds: [...new Set(userIds)],
    ...(userIds.length < withUser.length && { needsModifier: true }),
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
  // A line alone shows neither the customer of its order nor the number of lines.
  const isUnknown = plan.has('getOrdersItem') && !lifecycle?.snapshot;
  return [...new Set([...(retrieval && (refresh || isUnknown) ? [retrieval] : []), ...plan])];
}
