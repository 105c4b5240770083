import {
  BACKFILL,
  type PlannedEvent,
  planEvent,
  RECONCILIATION,
  type WarehouseEvent,
} from '../src/domain/catalogue/event.ts';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { ReceivedEvent, WaitingEvent } from '../src/domain/decision.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import { CUSTOMERS, type Refusal } from '../src/domain/lifecycle/gets.ts';
import { isOfRecord } from '../src/domain/lifecycle/milestone.ts';
import type { Priority } from '../src/domain/priority.ts';
import type { Reported } from '../src/warehouse/gets.ts';
import type { ActivityDeps } from './ports/deps.ts';

/** Events that wait for a subject, or the oldest of them, with their retrieval. */
export interface Batch {
  readonly eventIds: readonly string[];
  readonly plan: RetrievalPlan | undefined;
  /** Newest events, which a row of a listing that stands in for a GET has to show; absent if none could prove to. */
  readonly newest?: readonly Reported[] | undefined;
  readonly traces: readonly string[];
  /** Time of receipt of the newest event that asks for the pick list. */
  readonly pickListSince?: number;
  readonly priority?: Priority;
  readonly refresh?: boolean;
}

/** Their changes have to fit into one message to Temporal. */
const EVENTS_PER_BATCH = 500;

/** Quarantines rows that this version cannot read; only another version writes such. */
export async function takeBatch(
  deps: Pick<ActivityDeps, 'subjects' | 'inbox'>,
  subject: SubjectRef,
  refresh: boolean,
): Promise<Batch> {
  const { saved, events: rows } = await deps.subjects.load(subject, EVENTS_PER_BATCH);
  const { events, unreadable } = readEvents(rows);
  if (unreadable.length > 0) await deps.inbox.quarantine(unreadable, { code: 'otherEvent' });
  if (events.length === 0 && (await deps.subjects.settle(subject)).length > 0) {
    return takeBatch(deps, subject, refresh);
  }
  return batchOf(subject, saved, { rows, events }, refresh);
}

function batchOf(
  subject: SubjectRef,
  saved: SavedSubject | undefined,
  { rows, events }: { readonly rows: readonly ReceivedEvent[]; readonly events: readonly PlannedEvent[] },
  refresh: boolean,
): Batch {
  const plan = planRetrieval(subject, saved, events, refresh);
  const asking = new Set(events.flatMap((event) => (event.plan.includes('getOrdersPicklist') ? [event.id] : [])));
  const times = rows.flatMap(({ id, receivedAt }) => (asking.has(id) ? [receivedAt] : []));
  return {
    eventIds: events.map(({ id }) => id),
    plan,
    traces: [...new Set(events.flatMap(({ trace }) => trace ?? []))],
    ...(times.length > 0 && { pickListSince: Math.max(...times) }),
    ...(plan && {
      priority: priorityOf(saved, events),
      refresh,
      newest: refresh ? undefined : newestOf(saved, events),
    }),
  };
}

/**
 * Returns the newest events if a record can prove not to be older. A sweep's difference reports nothing: what is known
 * has to be settled.
 */
function newestOf(saved: SavedSubject | undefined, events: readonly PlannedEvent[]): Batch['newest'] {
  const reporting = events.filter(({ name }) => name !== RECONCILIATION && name !== BACKFILL);
  if (events.some(({ missing }) => missing)) return undefined;
  if (reporting.length === 0) return saved?.lookAgainAt === undefined ? [] : undefined;
  const newestAt = Math.max(...reporting.map(({ time }) => time));
  if (newestAt < (saved?.lifecycle.lastEventTime ?? 0)) return undefined;
  const newest = reporting.filter(({ time }) => time === newestAt);
  const isProvable = newest.every(({ milestone, changedAt }) => changedAt ?? (milestone && isOfRecord(milestone)));
  return isProvable ? newest : undefined;
}

const EARLY_MS = 1000;

/** A batch without events is a refresh: a second look if one is due, otherwise a request by a person. */
function priorityOf(saved: SavedSubject | undefined, events: readonly PlannedEvent[]): Priority {
  if (events.length === 0) return (saved?.lookAgainAt ?? Infinity) < Date.now() + EARLY_MS ? 'later' : 'person';
  return events.every(({ name }) => name === RECONCILIATION) ? 'later' : 'event';
}

/** Adds and plans the events that were received before the batch's GET began, which shows what they report. */
export async function joinLate(
  deps: Pick<ActivityDeps, 'subjects'>,
  subject: SubjectRef,
  batch: Batch,
  startedAt: number,
): Promise<Batch> {
  const { saved, events: waiting } = await deps.subjects.load(subject, EVENTS_PER_BATCH);
  const rows = waiting.filter(({ receivedAt }) => receivedAt < startedAt);
  const known = new Set(batch.eventIds);
  if (rows.every(({ id }) => known.has(id))) return batch;
  const { events } = readEvents(rows);
  const joined = batchOf(subject, saved, { rows, events }, batch.refresh ?? false);
  return { ...joined, eventIds: [...known.union(new Set(joined.eventIds))], plan: joined.plan ?? batch.plan };
}

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

export interface RetrievalPlan {
  readonly operations: readonly Operation[];
  readonly userIds: readonly string[];
  /** Some event with a user does not name it: the subject's last modifier stands in. */
  readonly needsModifier?: true;
  readonly pickJobId?: string;
  readonly orderItemIds?: readonly string[];
  readonly customerId?: string;
  /** No longer listed, so that a 404 is an answer. */
  readonly missing?: boolean;
  /** Never fetched, and not reported as deleted: a 404 may come from a read that lags behind. */
  readonly isNew?: true;
  /** No event asks for the subject itself: its GET only leads to parts. */
  readonly isOwnOptional?: true;
  /** Every event that asks for the subject carries it; if none asks, its GET was refused before. */
  readonly isCarried?: true;
  readonly ownRefusedSince?: number;
}

/** Undefined if there is nothing to fetch. A refresh fetches the subject, and again what was refused. */
function planRetrieval(
  subject: SubjectRef,
  saved: SavedSubject | undefined,
  events: readonly PlannedEvent[],
  refresh: boolean,
): RetrievalPlan | undefined {
  const asking: readonly RetrievalRequest[] = [...(refresh ? (saved?.refused ?? []).flatMap(askAgain) : []), ...events];
  const operations = operationsOf(subject, saved, asking, refresh);
  const withUser = asking.filter(({ plan }) => plan.includes('getUser'));
  const userIds = withUser.flatMap(({ userId }) => userId ?? []);
  const orderItemIds = asking.flatMap(({ orderItemId, plan }) =>
    orderItemId && plan.includes('getOrdersItem') ? [orderItemId] : [],
  );
  const pickJobId = asking.findLast((event) => event.pickJobId)?.pickJobId;
  const known = saved?.lifecycle.snapshot?.customerId;
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
    ...planOwn(subject, saved, events, refresh),
  };
}

type RetrievalRequest = Pick<PlannedEvent, 'plan' | 'userId' | 'orderItemId' | 'pickJobId'>;

function askAgain({ operation, id }: Refusal): readonly RetrievalRequest[] {
  if (operation === CUSTOMERS) return [];
  const plan = [operation];
  if (id === undefined) return [{ plan }];
  if (operation === 'getUser') return [{ plan, userId: id }];
  if (operation === 'getOrdersItem') return [{ plan, orderItemId: id }];
  return [operation === 'getOrdersPicklist' ? { plan, pickJobId: id } : { plan }];
}

function planOwn(
  { kind }: SubjectRef,
  saved: SavedSubject | undefined,
  events: readonly PlannedEvent[],
  refresh: boolean,
): Pick<RetrievalPlan, 'isNew' | 'isOwnOptional' | 'isCarried' | 'ownRefusedSince'> {
  const own = retrievalOf[kind];
  const asking = own ? events.filter(({ plan }) => plan.includes(own)) : [];
  const ownRefusedSince = saved?.refused.find(({ operation }) => operation === own)?.since;
  const wasRefused = ownRefusedSince !== undefined;
  const isCarried = (asking.length > 0 || wasRefused) && asking.every(({ carriesResource }) => carriesResource);
  const isNew = !saved?.lifecycle.snapshot && events.length > 0;
  const isOver = events.some(({ missing, milestone }) => missing || milestone === 'deleted');
  return {
    ...(isNew && !isOver && { isNew: true }),
    ...(asking.length === 0 && !refresh && { isOwnOptional: true }),
    ...(isCarried && { isCarried: true }),
    ...(wasRefused && { ownRefusedSince }),
  };
}

function operationsOf(
  { kind }: SubjectRef,
  saved: SavedSubject | undefined,
  asking: readonly RetrievalRequest[],
  refresh: boolean,
): Operation[] {
  const plan = new Set(asking.flatMap((event) => event.plan));
  const retrieval = retrievalOf[kind];
  // A line alone shows neither the customer of its order nor the number of lines.
  const isUnknown = plan.has('getOrdersItem') && !saved?.lifecycle.snapshot;
  return [...new Set([...(retrieval && (refresh || isUnknown) ? [retrieval] : []), ...plan])];
}
