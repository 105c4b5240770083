import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, expect, it } from 'vitest';
import { countHistory, type HistoryEvent } from './cost.ts';

const started: HistoryEvent = { workflowExecutionStartedEventAttributes: {} };
const continued: HistoryEvent = { workflowExecutionStartedEventAttributes: { continuedExecutionRunId: 'a-run' } };
const signal: HistoryEvent = { workflowExecutionSignaledEventAttributes: { signalName: 'events' } };
const task: HistoryEvent[] = [
  { workflowTaskScheduledEventAttributes: {} },
  { workflowTaskStartedEventAttributes: {} },
  { workflowTaskCompletedEventAttributes: {} },
];
const marker = (task: number, markerName = 'core_local_activity'): HistoryEvent => ({
  markerRecordedEventAttributes: { markerName, workflowTaskCompletedEventId: task as never },
});
const actionsOf = (...events: readonly HistoryEvent[]) => countHistory(events).actions;

describe('a history', () => {
  it('that begins with a signal-with-start has one billable action', () => {
    expect(actionsOf(started, signal, ...task)).toBe(1);
  });

  it('that begins without a signal has one for its start', () => {
    expect(actionsOf(started, ...task)).toBe(1);
    expect(actionsOf(started, ...task, signal)).toBe(2);
  });

  it('that continues another run has one for its start, also where a signal waited for it', () => {
    expect(actionsOf(continued, signal, ...task)).toBe(2);
  });

  it('has one for each signal, timer, upsert and accepted update, and none for workflow tasks, memos and ends', () => {
    const events: HistoryEvent[] = [
      started,
      signal,
      signal,
      signal,
      { timerStartedEventAttributes: {} },
      { timerFiredEventAttributes: {} },
      { timerStartedEventAttributes: {} },
      { upsertWorkflowSearchAttributesEventAttributes: {} },
      { workflowPropertiesModifiedEventAttributes: {} },
      { workflowExecutionUpdateAcceptedEventAttributes: {} },
      { workflowExecutionCompletedEventAttributes: {} },
      ...task,
    ];
    expect(countHistory(events)).toEqual({
      events: 14,
      signals: 3,
      workflowTasks: 1,
      activities: 0,
      localActivities: 0,
      upserts: 1,
      timers: 2,
      updates: 1,
      actions: 7,
    });
  });

  it('has one for each attempt of an activity', () => {
    const once: HistoryEvent[] = [
      { activityTaskScheduledEventAttributes: {} },
      { activityTaskStartedEventAttributes: { attempt: 1 } },
      { activityTaskCompletedEventAttributes: {} },
    ];
    const thrice: HistoryEvent = { activityTaskStartedEventAttributes: { attempt: 3 } };
    expect(countHistory([started, signal, ...once, thrice])).toMatchObject({ activities: 4, actions: 5 });
  });

  it('has one for all markers of one workflow task', () => {
    const counted = countHistory([started, signal, marker(4), marker(4), marker(9), marker(9, 'core_patch')]);
    expect(counted).toMatchObject({ localActivities: 3, actions: 3 });
  });

  it('that a server recorded is counted as it was written', async () => {
    const text = await readFile(join(import.meta.dirname, '../../../test/histories/continued.json'), 'utf8');
    const { events } = historyFromJSON(JSON.parse(text));
    const count = (type: string) => text.split(`"eventType":"EVENT_TYPE_${type}"`).length - 1;
    expect(countHistory(events ?? [])).toMatchObject({
      signals: count('WORKFLOW_EXECUTION_SIGNALED'),
      workflowTasks: count('WORKFLOW_TASK_STARTED'),
      localActivities: count('MARKER_RECORDED'),
      upserts: count('UPSERT_WORKFLOW_SEARCH_ATTRIBUTES'),
    });
    expect(count('MARKER_RECORDED')).toBeGreaterThan(0);
  });
});
