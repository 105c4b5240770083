import {
  ActivityCancellationType,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import type { Advanced, AdvanceInput, RetrieveInput } from '../activities/advance.ts';
import type { Announced, AnnounceInput } from '../activities/announce.ts';
import type { RecordInput } from '../activities/decide.ts';
import type { Published } from '../activities/process-batch.ts';
import type { Recorded } from '../activities/record.ts';
import { retryOf } from '../src/domain/retry-policy.ts';
import type { Settings } from './messages.ts';

const KILLED_AFTER = '15 seconds';

const local = proxyLocalActivities<Pick<Activities, 'advance' | 'record'>>({
  startToCloseTimeout: '2 seconds',
  retry: { maximumAttempts: 1 },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

const stored = proxyActivities<Pick<Activities, 'record'>>({
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: KILLED_AFTER,
  retry: retryOf('store'),
});

/** Makes one inline attempt; falls back to a regular activity if even the store is unreachable. */
export async function advance(summary: string, input: AdvanceInput): Promise<Advanced> {
  return await orElse(local.advance.executeWithOptions({ summary }, [input]), async () => ({
    operations: [],
    found: null,
  }));
}

/** Retried until the warehouse answers. Waits for its end when canceled, so that two never run at a time. */
export async function retrieve(
  summary: string,
  input: RetrieveInput & { readonly waitMs: number },
  { warehouseTaskQueue }: Settings,
): Promise<Published> {
  const { waitMs, ...retrieval } = input;
  if (waitMs > 0) await sleep(waitMs, { summary: 'the warehouse asked to wait' });
  const regular = proxyActivities<Pick<Activities, 'retrieve'>>({
    taskQueue: warehouseTaskQueue,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: KILLED_AFTER,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: retryOf('retrieve'),
  });
  return await regular.retrieve.executeWithOptions({ summary }, [retrieval]);
}

/** Records inline, or else with a regular activity, retried until it succeeds. */
export async function record(summary: string, input: RecordInput): Promise<Recorded> {
  return await orElse(local.record.executeWithOptions({ summary }, [input]), () =>
    stored.record.executeWithOptions({ summary }, [input]),
  );
}

/**
 * Retried until every announcement is acknowledged, dead-lettered or rejected. Waits for its end when canceled, so that
 * two never run at a time.
 */
export async function announce(
  summary: string,
  input: AnnounceInput,
  { announceTaskQueue }: Settings,
): Promise<Announced> {
  const regular = proxyActivities<Pick<Activities, 'announce'>>({
    taskQueue: announceTaskQueue,
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: KILLED_AFTER,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: retryOf('announce'),
    priority: { fairnessKey: fairnessKeyOf(input) },
  });
  return await regular.announce.executeWithOptions({ summary }, [input]);
}

/** Bytes. */
const KEY_LIMIT = 64;

/** With fairness, the server gives other destinations their turns while one has many announcements. */
const fairnessKeyOf = ({ subject: { tenant }, destination }: AnnounceInput): string =>
  encodeURIComponent(`${tenant}/${destination}`).slice(0, KEY_LIMIT);

async function orElse<Output>(attempt: Promise<Output>, otherwise: () => Promise<Output>): Promise<Output> {
  try {
    return await attempt;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return await otherwise();
  }
}
