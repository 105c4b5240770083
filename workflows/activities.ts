import {
  ActivityCancellationType,
  type ActivityInterfaceFor,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import type { RecordInput } from '../activities/record.ts';
import type { LifeSettings } from './messages.ts';

/** What is quick where all is well. */
type Quick = Pick<Activities, 'recall' | 'announce' | 'park'>;

const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' } as const;

/**
 * The activities as workflows call them, retried for ever, announcing for as long as the settings say. GETs have a task queue of
 * their own, whose rate limit is the warehouse's. What is quick is tried once within the workflow's own task, which spares the
 * history five events and the server as many writes; where that fails it is a regular activity, so that what fails stays
 * visible with its last failure.
 *
 * Recording is never local: it decides what a revision says, so the history has to say the same before. Where a worker dies, its
 * workflow task is done again with the events that came since, and what it had recorded would contradict that.
 */
export function createActivityProxies({ warehouseTaskQueue, announceForMs }: LifeSettings) {
  const { retrieve } = proxyActivities<Pick<Activities, 'retrieve'>>({
    taskQueue: warehouseTaskQueue,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: KILLED_AFTER,
    retry,
  });
  const stored = proxyActivities<Quick & Pick<Activities, 'record'>>({
    startToCloseTimeout: '30 seconds',
    heartbeatTimeout: KILLED_AFTER,
    retry: { ...retry, maximumInterval: '30 seconds' },
  });
  const { announce } = proxyActivities<Quick>({
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '1 minute',
    scheduleToCloseTimeout: announceForMs,
    cancellationType: WAIT,
    retry: { ...retry, maximumInterval: '15 minutes' },
  });
  const local = proxyLocalActivities<Quick>({
    startToCloseTimeout: '2 seconds',
    retry: { maximumAttempts: 1 },
    cancellationType: WAIT,
  });
  return {
    retrieve,
    record: (summary: string, input: RecordInput) => stored.record.executeWithOptions({ summary }, [input]),
    recall: firstLocally(local.recall, stored.recall),
    announce: firstLocally(local.announce, announce),
    park: firstLocally(local.park, stored.park),
  };
}

/** The activities, bound to their options. */
export type ActivityProxies = ReturnType<typeof createActivityProxies>;

/** A worker that says nothing for so long was killed, and another one takes over. */
const KILLED_AFTER = '15 seconds';

/** The next run must not send while this one still does. */
const WAIT = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;

function firstLocally<Input, Output>(
  local: (input: Input) => Promise<Output>,
  regular: ActivityInterfaceFor<{ run(input: Input): Promise<Output> }>['run'],
): (summary: string, input: Input) => Promise<Output> {
  return async (summary, input) => {
    try {
      return await local(input);
    } catch (error) {
      if (isCancellation(error)) throw error;
      return await regular.executeWithOptions({ summary }, [input]);
    }
  };
}
