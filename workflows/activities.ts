import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';

/**
 * The activities as workflows call them. All are regular ones and retried for ever: what fails stays visible with its last
 * failure. GETs have a task queue of their own, whose rate limit is the warehouse's.
 */
export function createActivityProxies() {
  const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' } as const;
  const { retrieve } = proxyActivities<Pick<Activities, 'retrieve'>>({
    taskQueue: `${workflowInfo().taskQueue}-warehouse`,
    startToCloseTimeout: '2 minutes',
    retry,
  });
  const { record, recall } = proxyActivities<Pick<Activities, 'record' | 'recall'>>({
    startToCloseTimeout: '30 seconds',
    retry: { ...retry, maximumInterval: '30 seconds' },
  });
  const { announce } = proxyActivities<Pick<Activities, 'announce'>>({
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '1 minute',
    // The next run must not send while this one still does.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry,
  });
  return { retrieve, record, recall, announce };
}

/** The activities, bound to their options. */
export type ActivityProxies = ReturnType<typeof createActivityProxies>;
