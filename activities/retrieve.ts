import { activityInfo } from '@temporalio/activity';
import { longestWaitMs } from '../src/domain/retry-policy.ts';
import { readBatch } from './batch.ts';
import { toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type BatchInput, type Published, processBatch } from './process-batch.ts';

/** Request to process what waits for a subject at the warehouse's rate. */
export interface RetrieveInput extends BatchInput {
  /** An inline attempt to retrieve has failed. */
  readonly wasTried?: boolean;
}

/** Processes what waits for a subject. Temporal retries a failed retrieval. */
export async function retrieve(deps: ActivityDeps, input: RetrieveInput): Promise<Published> {
  const { subject, refresh, wasTried = false } = input;
  const { attempt, scheduledTimestampMs: since } = activityInfo();
  const batch = await readBatch(deps, subject, refresh);
  const processed = await processBatch(deps, input, batch, {
    attempts: { isRetry: wasTried || attempt > 1, since },
    mayAnnounce: () => true,
    waitAfter: (cause) => waitAfter(cause, attempt, longestWaitMs.retrieve, deps.retry),
  });
  if ('recorded' in processed) return processed;
  const { cause, waitMs, calls } = processed;
  throw toFailure(cause, waitMs, [{ calls }]);
}
