import { type PlannedEvent, planEvent, type WarehouseEvent } from '../src/domain/catalogue/event.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { planRetrieval, type RetrievalPlan } from './plan.ts';
import type { ActivityDeps } from './ports/deps.ts';
import type { WaitingEvent } from './ports/recording.ts';

/** Events that wait for a subject, or the oldest of them, and the retrieval that they ask for. */
export interface Batch {
  readonly eventIds: readonly string[];
  /** Undefined if there is nothing to fetch. */
  readonly plan: RetrievalPlan | undefined;
  /** Traces of the events. */
  readonly traces: readonly string[];
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
    plan: planRetrieval(subject, saved, events, refresh),
    traces: [...new Set(events.flatMap(({ trace }) => trace ?? []))],
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
