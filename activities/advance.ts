import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { messageOf } from '../src/domain/errors.ts';
import { type Batch, readBatch } from './batch.ts';
import { askedWait } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { look, type Recorded } from './record.ts';
import type { Retrieved, WarehouseCall } from './retrieval.ts';
import {
  isEmpty,
  noteRetrieval,
  type Published,
  publish,
  type RetrieveInput,
  report,
  retrieveBatch,
} from './retrieve.ts';

/** Request to advance a subject inline. */
export interface AdvanceInput extends RetrieveInput {
  /** Allows GETs within the workflow's own task. */
  readonly retrieve: boolean;
  /** Time to linger for further events to join the batch, in milliseconds. */
  readonly lingerMs: number;
}

/** Result of an inline attempt: published, retrieved but not recorded, or left to a regular activity. */
export type Advanced = Published | { readonly retrieved: Retrieved } | NeedsRetrieval;

/** Retrieval that is left to a regular activity. */
export interface NeedsRetrieval {
  readonly operations: readonly Operation[];
  /** Current state of the subject, for a run that has not read the store. */
  readonly found: Recorded | null;
  /** Inline attempt, if one was made. */
  readonly tried?: Tried;
}

/** Failed inline attempt to retrieve. */
interface Tried {
  readonly reason: string;
  readonly calls: readonly WarehouseCall[];
  /** Wait that the warehouse asked for, in milliseconds. */
  readonly waitMs: number;
}

/** Maximum duration of a retrieval that is recorded within the same attempt, in milliseconds. */
const QUICK_MS = 500;

/**
 * Advances a subject inline: reads its waiting events, retrieves, records and announces them. Steps that fail are left to regular
 * activities, which the Temporal UI shows with their retries.
 */
export async function advance(deps: ActivityDeps, input: AdvanceInput): Promise<Advanced> {
  const { subject, refresh } = input;
  if (input.lingerMs > 0) await pause(input.lingerMs);
  const startedAt = performance.now();
  const batch = await readBatch(deps, subject, refresh);
  if (isEmpty(batch)) return await report(deps, input);
  using _counted = deps.retrieving(batch.eventIds.length);
  const mayRetrieve = !batch.plan || (input.retrieve && deps.inline.mayRetrieve(subject.tenant));
  if (!mayRetrieve) return await needsRetrieval(deps, input, batch);
  let retrieved: Retrieved;
  try {
    retrieved = await retrieveBatch(deps, subject, batch, { isRetry: false, since: Date.now() });
  } catch (error) {
    const tried = await explain(deps, subject, error);
    return { ...(await needsRetrieval(deps, input, batch)), tried };
  }
  return performance.now() - startedAt > QUICK_MS ? { retrieved } : await publish(deps, input, batch, retrieved);
}

/** A run that has not read the store may have older announcements to send, and a stage to watch, whatever the warehouse does. */
async function needsRetrieval(deps: ActivityDeps, input: AdvanceInput, { plan }: Batch): Promise<NeedsRetrieval> {
  return { operations: plan?.operations ?? [], found: input.known === null ? await look(deps, input) : null };
}

async function explain(deps: ActivityDeps, subject: SubjectRef, error: unknown): Promise<Tried> {
  const { cause, operation, calls, waitMs } = await noteRetrieval(deps, subject, error, (reason) =>
    askedWait(reason, deps.retry),
  );
  deps.inline.retrievalFailed(subject.tenant);
  return { reason: `${operation}: ${messageOf(cause)}`, calls, waitMs };
}
