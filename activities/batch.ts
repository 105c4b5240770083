import {
  BACKFILL,
  type PlannedEvent,
  planEvent,
  RECONCILIATION,
  type WarehouseEvent,
} from '../src/domain/catalogue/event.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { ReceivedEvent, WaitingEvent } from '../src/domain/decision.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import { isOfRecord, type Milestone } from '../src/domain/lifecycle/milestone.ts';
import type { Priority } from '../src/domain/priority.ts';
import type { Reported } from '../src/warehouse/gets.ts';
import { planRetrieval, type RetrievalPlan } from './plan.ts';
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
  /** Default: that of an event. */
  readonly priority?: Priority;
  readonly refresh?: boolean;
}

/** Their changes have to fit into one message to Temporal. */
const EVENTS_PER_BATCH = 500;

/** Quarantines rows that this version cannot read; only another version writes such. */
export async function readBatch(
  deps: Pick<ActivityDeps, 'subjects' | 'inbox'>,
  subject: SubjectRef,
  refresh: boolean,
): Promise<Batch> {
  const { saved, events: rows } = await deps.subjects.load(subject, EVENTS_PER_BATCH);
  const { events, unreadable } = readEvents(rows);
  if (unreadable.length > 0) await deps.inbox.quarantine(unreadable, { code: 'otherEvent' });
  if (events.length === 0 && (await deps.subjects.settle(subject)).length > 0) {
    return readBatch(deps, subject, refresh);
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
  const isUrgent = !saved?.lifecycle.snapshot || events.some(({ milestone }) => milestone && endings.has(milestone));
  const isFound = events.every(({ name }) => name === RECONCILIATION);
  return isFound ? 'later' : isUrgent ? 'urgent' : 'event';
}

const endings: ReadonlySet<Milestone> = new Set(['confirmed', 'canceled']);

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

/** With their current row of the catalogue. */
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
