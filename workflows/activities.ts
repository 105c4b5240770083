import {
  ActivityCancellationType,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import type { AnnounceInput, ParkInput, PublishInput } from '../activities/announce.ts';
import type { Recorded, RecordInput } from '../activities/record.ts';
import type { TakeInInput, TakenIn } from '../activities/take-in.ts';
import type { SubjectRef } from '../src/domain/subject.ts';
import type { LifeSettings } from './messages.ts';

/** What is tried once within the workflow's own task. */
type Local = Pick<Activities, 'recall' | 'takeIn' | 'publish' | 'announceAtOnce' | 'park'>;

const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' } as const;

/**
 * The activities as workflows call them, retried for ever, announcing for as long as the settings say. GETs have a task queue of
 * their own, whose rate limit is the warehouse's. What is quick is tried once within the workflow's own task, which spares the
 * history five events and the server as many writes; where that fails it is a regular activity, so that what fails stays
 * visible with its last failure.
 */
export function createActivityProxies({ warehouseTaskQueue, announceForMs, retrievesAtOnce }: LifeSettings) {
  const { retrieve } = proxyActivities<Pick<Activities, 'retrieve'>>({
    taskQueue: warehouseTaskQueue,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: KILLED_AFTER,
    retry,
  });
  const stored = proxyActivities<Pick<Activities, 'recall' | 'record' | 'park'>>({
    startToCloseTimeout: '30 seconds',
    heartbeatTimeout: KILLED_AFTER,
    retry: { ...retry, maximumInterval: '30 seconds' },
  });
  const { announce } = proxyActivities<Pick<Activities, 'announce'>>({
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '1 minute',
    scheduleToCloseTimeout: announceForMs,
    cancellationType: WAIT,
    retry: { ...retry, maximumInterval: '15 minutes' },
  });
  const local = proxyLocalActivities<Local>({
    startToCloseTimeout: '2 seconds',
    retry: { maximumAttempts: 1 },
    cancellationType: WAIT,
  });
  const record = (summary: string, input: RecordInput): Promise<Recorded> =>
    stored.record.executeWithOptions({ summary }, [input]);
  return {
    record,
    /** Retrieves, and publishes what that shows where all of it can be done at once. */
    async takeIn(summary: string, input: TakeInInput): Promise<TakenIn> {
      const tried = retrievesAtOnce
        ? await orElse(local.takeIn.executeWithOptions({ summary }, [input]), async () => ({ waitMs: 0 }))
        : { waitMs: 0 };
      if ('retrieved' in tried) return tried;
      if (tried.waitMs > 0) await sleep(tried.waitMs, { summary: 'the warehouse asked to wait' });
      return { retrieved: await retrieve.executeWithOptions({ summary }, [input.request]) };
    },
    /** Records, and announces what can be announced at once. */
    publish: (summary: string, { announce, ...recording }: PublishInput) =>
      orElse(local.publish.executeWithOptions({ summary }, [{ ...recording, announce }]), () =>
        record(summary, recording),
      ),
    announce: (summary: string, input: AnnounceInput) => announce.executeWithOptions({ summary }, [input]),
    /** Returns what is left. */
    announceAtOnce: (input: AnnounceInput) => orElse(local.announceAtOnce(input), async () => input.ids),
    recall: (summary: string, subject: SubjectRef) =>
      orElse(local.recall(subject), () => stored.recall.executeWithOptions({ summary }, [subject])),
    park: (summary: string, input: ParkInput) =>
      orElse(local.park(input), () => stored.park.executeWithOptions({ summary }, [input])),
  };
}

/** The activities, bound to their options. */
export type ActivityProxies = ReturnType<typeof createActivityProxies>;

/** A worker that says nothing for so long was killed, and another one takes over. */
const KILLED_AFTER = '15 seconds';

/** The next run must not send while this one still does. */
const WAIT = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;

async function orElse<Output>(attempt: Promise<Output>, otherwise: () => Promise<Output>): Promise<Output> {
  try {
    return await attempt;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return await otherwise();
  }
}
