import type { WorkflowHandle } from '@temporalio/client';

/** An event of a workflow's history as the client reads it. */
export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

/** What a history holds, and how many billable actions that is. */
export interface HistoryCount {
  readonly events: number;
  readonly signals: number;
  readonly workflowTasks: number;
  /** Attempts of regular activities. */
  readonly activities: number;
  /** Markers of local activities. */
  readonly localActivities: number;
  /** Changes of search attributes, each of one or more. */
  readonly upserts: number;
  readonly timers: number;
  readonly updates: number;
  /** Billable actions. */
  readonly actions: number;
}

/** The SDK's name for the marker of a local activity. */
const LOCAL_ACTIVITY = 'core_local_activity';

/**
 * Counts a history, with its billable actions as Temporal Cloud lists them (docs.temporal.io/evaluate/cloud/actions, read in November
 * 2026): a signal is one, a signal-with-start is one in all whether or not it starts the workflow, any other start one, each
 * attempt of a regular activity one, all markers of one workflow task together one, a timer one, an upsert of search attributes one,
 * an update that is accepted one. Workflow tasks, the memo and the end of a run cost nothing. Assumed: there is nothing that
 * leaves no event, which are queries (one each), updates that are refused (one), heartbeats of activities that take longer than
 * some seconds, and those of workflow tasks (one each).
 */
export function countHistory(history: readonly HistoryEvent[]): HistoryCount {
  const count = (isCounted: (event: HistoryEvent) => unknown) => history.filter((event) => isCounted(event)).length;
  const markers = history.flatMap(({ markerRecordedEventAttributes: marker }) => (marker ? [marker] : []));
  const attempts = history.map(({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? 0);
  const counted = {
    signals: count((event) => event.workflowExecutionSignaledEventAttributes),
    activities: attempts.reduce((sum, attempt) => sum + attempt, 0),
    upserts: count((event) => event.upsertWorkflowSearchAttributesEventAttributes),
    timers: count((event) => event.timerStartedEventAttributes),
    updates: count((event) => event.workflowExecutionUpdateAcceptedEventAttributes),
  };
  const tasksWithMarkers = new Set(markers.map((marker) => String(marker.workflowTaskCompletedEventId)));
  const besides = tasksWithMarkers.size + (isStartedBySignal(history) ? 0 : 1);
  return {
    ...counted,
    events: history.length,
    workflowTasks: count((event) => event.workflowTaskStartedEventAttributes),
    localActivities: markers.filter(({ markerName }) => markerName === LOCAL_ACTIVITY).length,
    actions: Object.values(counted).reduce((sum, one) => sum + one, besides),
  };
}

/** A signal that comes with the start is its second event, but for a run that continues another. */
function isStartedBySignal([first, second]: readonly HistoryEvent[]): boolean {
  const isContinued = Boolean(first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
  return !isContinued && Boolean(second?.workflowExecutionSignaledEventAttributes);
}
