import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import type { LifeSettings } from './messages.ts';

/**
 * The activities as workflows call them. All are regular ones and retried, announcing for as long as the settings say and the rest
 * for ever: what fails stays visible with its last failure. GETs have a task queue of their own, whose rate limit is the warehouse's.
 */
export function createActivityProxies({ warehouseTaskQueue, announceForMs }: LifeSettings) {
  const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' } as const;
  const { retrieve } = proxyActivities<Pick<Activities, 'retrieve'>>({
    taskQueue: warehouseTaskQueue,
    startToCloseTimeout: '2 minutes',
    retry,
  });
  const { record, recall, park } = proxyActivities<Pick<Activities, 'record' | 'recall' | 'park'>>({
    startToCloseTimeout: '30 seconds',
    retry: { ...retry, maximumInterval: '30 seconds' },
  });
  const { announce } = proxyActivities<Pick<Activities, 'announce'>>({
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '1 minute',
    scheduleToCloseTimeout: announceForMs,
    // The next run must not send while this one still does.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { ...retry, maximumInterval: '15 minutes' },
  });
  return { retrieve, record, recall, announce, park };
}

/** The activities, bound to their options. */
export type ActivityProxies = ReturnType<typeof createActivityProxies>;
