import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import { messageOf } from '../src/domain/errors.ts';
import { type Batch, takeBatch } from './batch.ts';
import { askedWait, toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type BatchInput, type Published, processBatch } from './process-batch.ts';
import { type Recorded, reloadOrStall } from './record.ts';
import type { WarehouseCall } from './retrieval.ts';

export interface AdvanceInput extends BatchInput {
  readonly retrieve: boolean;
  readonly lingerMs: number;
}

export type Advanced = Published | NeedsRetrieval;

export interface NeedsRetrieval {
  readonly operations: readonly Operation[];
  /** Null in a run that has read the store before. */
  readonly found: Recorded | null;
  readonly tried?: FailedAttempt;
}

interface FailedAttempt {
  readonly reason: string;
  readonly calls: readonly WarehouseCall[];
  readonly waitMs: number;
}

/** GETs that one retrieval needs at most, without the lines of an order. */
const CALLS = 4;

/** Longest retrieval after which announcements are still sent in the same attempt. */
const QUICK_MS = 500;

/** Processes what waits for a subject inline; failures are left to regular activities, whose retries the Temporal UI shows. */
export async function advance(deps: ActivityDeps, input: AdvanceInput): Promise<Advanced> {
  const { subject, refresh, lingerMs } = input;
  const { tenant } = subject;
  if (lingerMs > 0) await pause(lingerMs);
  const startedAt = performance.now();
  const batch = await takeBatch(deps, subject, refresh);
  const mayRetrieve =
    !batch.plan ||
    (input.retrieve && deps.mayInline(tenant, CALLS) && !deps.breaker.isOpen({ tenant, operation: 'retrieve' }));
  if (!mayRetrieve) return await needsRetrieval(deps, input, batch);
  const processed = await processBatch(deps, input, batch, {
    attempts: { isRetry: false, since: Date.now() },
    mayAnnounce: () => performance.now() - startedAt <= QUICK_MS,
    waitAfter: (cause) => askedWait(cause, deps.retry),
  });
  if ('recorded' in processed) return processed;
  const { cause, operation, calls, waitMs } = processed;
  deps.breaker.open({ tenant, operation: 'retrieve' });
  const tried = { reason: `${operation}: ${messageOf(cause)}`, calls, waitMs };
  return { ...(await needsRetrieval(deps, input, batch)), tried };
}

/** A run that has not read the store may have older announcements to send, and a stage to watch. */
async function needsRetrieval(deps: ActivityDeps, input: AdvanceInput, { plan }: Batch): Promise<NeedsRetrieval> {
  return { operations: plan?.operations ?? [], found: input.known === null ? await reloadOrStall(deps, input) : null };
}

export interface RetrieveInput extends BatchInput {
  readonly wasTried?: boolean;
}

export async function retrieve(deps: ActivityDeps, input: RetrieveInput): Promise<Published> {
  const { subject, refresh, wasTried = false } = input;
  const { attempt, scheduledTimestampMs: since } = activityInfo();
  const batch = await takeBatch(deps, subject, refresh);
  const processed = await processBatch(deps, input, batch, {
    attempts: { isRetry: wasTried || attempt > 1, since },
    mayAnnounce: () => true,
    waitAfter: (cause) => waitAfter(cause, attempt, 'retrieve', deps.retry),
  });
  if ('recorded' in processed) return processed;
  const { cause, waitMs, calls } = processed;
  throw toFailure(cause, waitMs, [{ calls }]);
}
