import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { subjectKey } from '../../../src/domain/catalogue/subject.ts';
import { openTemporal } from '../../../src/temporal/connection.ts';
import type { Environment } from '../fixture.ts';
import type { Verdict } from '../ledger.ts';
import { mean } from '../statistics.ts';
import { openSystem, type Pass, type System } from '../system.ts';
import { TENANT } from '../workload.ts';

/** Event of a workflow's history as the client reads it. */
type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** SDK's name for the marker of a local activity. */
const LOCAL_ACTIVITY = 'core_local_activity';

/**
 * Counts what a history holds, and its billable actions as Temporal Cloud lists them (docs.temporal.io/evaluate/cloud/actions, read
 * in November 2026): one for each signal, timer, upsert of search attributes, accepted update and attempt of a regular activity; one
 * for all markers of a workflow task; one for a start, signal-with-start included. Workflow tasks, the memo and the end of a run
 * cost nothing. Assumed: nothing happens that leaves no event (queries, refused updates, heartbeats).
 */
function countHistory(history: readonly HistoryEvent[]) {
  const count = (isCounted: (event: HistoryEvent) => unknown) => history.filter((event) => isCounted(event)).length;
  const markers = history.flatMap(({ markerRecordedEventAttributes: marker }) => (marker ? [marker] : []));
  const attempts = history.map(({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? 0);
  const billed = {
    signals: count((event) => event.workflowExecutionSignaledEventAttributes),
    activities: attempts.reduce((sum, attempt) => sum + attempt, 0),
    upserts: count((event) => event.upsertWorkflowSearchAttributesEventAttributes),
    timers: count((event) => event.timerStartedEventAttributes),
    updates: count((event) => event.workflowExecutionUpdateAcceptedEventAttributes),
  };
  const tasksWithMarkers = new Set(markers.map((marker) => String(marker.workflowTaskCompletedEventId)));
  const besides = tasksWithMarkers.size + (isStartedBySignal(history) ? 0 : 1);
  return {
    ...billed,
    events: history.length,
    workflowTasks: count((event) => event.workflowTaskStartedEventAttributes),
    localActivities: markers.filter(({ markerName }) => markerName === LOCAL_ACTIVITY).length,
    actions: Object.values(billed).reduce((sum, one) => sum + one, besides),
  };
}

/** A signal-with-start signals in the second event, unless the run continues another. */
function isStartedBySignal([first, second]: readonly HistoryEvent[]): boolean {
  const isContinued = Boolean(first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
  return !isContinued && Boolean(second?.workflowExecutionSignaledEventAttributes);
}

/** Mean cost of an order of six events: its history's counts and size, and GETs per event with users and customers cached. */
type OrderCost = ReturnType<typeof countHistory> & Readonly<Record<'bytes' | 'calls' | 'eventsPerSecond', number>>;

/** Cost of orders whose activities run within the workflow task, or as regular ones, with the verdict on the whole system. */
export interface CostRow extends Verdict {
  readonly mode: 'inline' | 'regular';
  readonly oneByOne: OrderCost;
  readonly inBurst: OrderCost;
}

/** Events a second of which each comes alone. */
const PER_SECOND = 5;

/** Measures what an order costs on Temporal, with either way to run activities, each on a fresh system. */
export async function measureCost(orders: number, environment: Environment): Promise<readonly CostRow[]> {
  const rows: CostRow[] = [];
  for (const mode of ['inline', 'regular'] as const) {
    environment.say(`cost of ${orders} orders, ${mode}`);
    await using opened = new AsyncDisposableStack();
    const system = await openSystem({ env: { TEMPORAL_ACTIVITIES: mode } }, environment, opened);
    await system.load('16', Math.ceil(orders * WARM_UP));
    const oneByOne = await costOf(system, { ...(await system.steady(PER_SECOND, 1)), eventsPerSecond: PER_SECOND });
    const inBurst = await costOf(system, await system.load('burst', orders));
    rows.push({ mode, oneByOne, inBurst, ...system.verdict() });
  }
  return rows;
}

/** Orders that warm a system up, as a share of the burst. */
const WARM_UP = 0.6;

/** Orders whose histories are read, out of all. */
const SAMPLE = 50;
const POLL_MS = 500;
const MAX_POLLS = 40;

/**
 * Reads the histories of a pass once they no longer change. Their workflows wait for the end of the grace period, which takes one
 * more workflow task and no action.
 */
async function costOf(
  { fixture }: System,
  { orderIds, callsPerEvent, eventsPerSecond }: Pass & Pick<OrderCost, 'eventsPerSecond'>,
): Promise<OrderCost> {
  const { client, close } = openTemporal({ address: fixture.temporalAddress, namespace: 'default' });
  // Evenly spread: the first orders of a burst find another system than the last.
  const sample = orderIds.filter((_, index) => index % Math.ceil(orderIds.length / SAMPLE) === 0);
  const read = async (id: string) => {
    const handle = client.workflow.getHandle(subjectKey({ tenant: TENANT, kind: 'order', id }));
    const { historySize = 0 } = await handle.describe();
    const { events } = await handle.fetchHistory();
    return { ...countHistory(events ?? []), bytes: historySize };
  };
  try {
    const counted = await untilStable(() => Promise.all(sample.map(read)));
    return { ...meanOf(counted), calls: callsPerEvent, eventsPerSecond };
  } finally {
    await close();
  }
}

/** Returns the mean of each count. */
function meanOf<T extends Readonly<Record<keyof T, number>>>(all: readonly T[]): T {
  const keys = Object.keys(all[0] ?? {}) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, mean(all.map((one) => one[key]))])) as T;
}

async function untilStable<T>(read: () => Promise<T>): Promise<T> {
  let value = await read();
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    await pause(POLL_MS);
    const before = JSON.stringify(value);
    value = await read();
    if (JSON.stringify(value) === before) break;
  }
  return value;
}
