import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import { messageOf } from '../src/domain/errors.ts';
import { type Batch, readBatch } from './batch.ts';
import { askedWait } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type BatchInput, type Published, processBatch } from './process-batch.ts';
import type { Recorded } from './record.ts';
import { reload } from './reload.ts';
import type { Retrieved, WarehouseCall } from './retrieval.ts';

/** Request to process a batch inline. */
export interface AdvanceInput extends BatchInput {
  /** Allows GETs within the workflow's own task. */
  readonly retrieve: boolean;
  /** Time to linger for further events to join the batch, in milliseconds. */
  readonly lingerMs: number;
}

/**
 * Result of an inline attempt: published, or left to a regular activity. In the histories of an earlier version, also a retrieval that was
 * slow, which the workflow has recorded.
 */
export type Advanced = Published | NeedsRetrieval | { readonly retrieved: Retrieved };

/** Batch that is left to a regular activity. */
export interface NeedsRetrieval {
  readonly operations: readonly Operation[];
  /** Current state of the subject, for a run that has not read the store. */
  readonly found: Recorded | null;
  /** Inline attempt, if one was made. */
  readonly tried?: FailedAttempt;
}

/** Failed inline attempt to retrieve. */
interface FailedAttempt {
  readonly reason: string;
  readonly calls: readonly WarehouseCall[];
  /** Wait that the warehouse asked for, in milliseconds. */
  readonly waitMs: number;
}

/** Maximum duration of a retrieval after which announcements are sent in the same attempt, in milliseconds. */
const QUICK_MS = 500;

/**
 * Processes what waits for a subject inline. What fails is left to regular activities, which the Temporal UI shows with their retries.
 */
export async function advance(deps: ActivityDeps, input: AdvanceInput): Promise<Advanced> {
  const { subject, refresh, lingerMs } = input;
  if (lingerMs > 0) await pause(lingerMs);
  const startedAt = performance.now();
  const batch = await readBatch(deps, subject, refresh);
  const mayRetrieve = !batch.plan || (input.retrieve && deps.inline.mayRetrieve(subject.tenant));
  if (!mayRetrieve) return await needsRetrieval(deps, input, batch);
  const processed = await processBatch(deps, input, batch, {
    attempts: { isRetry: false, since: Date.now() },
    mayAnnounce: () => performance.now() - startedAt <= QUICK_MS,
    waitAfter: (cause) => askedWait(cause, deps.retry),
  });
  if ('recorded' in processed) return processed;
  const { cause, operation, calls, waitMs } = processed;
  deps.inline.retrievalFailed(subject.tenant);
  const tried = { reason: `${operation}: ${messageOf(cause)}`, calls, waitMs };
  return { ...(await needsRetrieval(deps, input, batch)), tried };
}

/** A run that has not read the store may have older announcements to send, and a stage to watch, whatever the warehouse does. */
async function needsRetrieval(deps: ActivityDeps, input: AdvanceInput, { plan }: Batch): Promise<NeedsRetrieval> {
  return { operations: plan?.operations ?? [], found: input.known === null ? await reload(deps, input) : null };
}
