import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { longestWaitMs } from '../src/domain/retry-policy.ts';
import { type AnnouncedInline, announceInline, leaseMsOf } from './announce.ts';
import { type Batch, readBatch } from './batch.ts';
import { askedWait, noteFailure, toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps } from './ports.ts';
import { look, type Recorded, type RecordInput, recordFor } from './record.ts';
import { describeFailure, type WarehouseCall } from './retrieval.ts';
import { type Retrieved, retrieveBatch } from './retrieve.ts';

/** A subject whose events are to be retrieved. */
export interface RetrieveInput {
  readonly subject: SubjectRef;
  /** The revision that the workflow knows; null for a run that knows nothing yet. */
  readonly known: number | null;
  /** Fetches the subject itself even if no event asks for it. */
  readonly refresh: boolean;
  /** Sends the announcements at once; only where no older announcement waits. */
  readonly announce: boolean;
}

/** A subject that has work. */
export interface AdvanceInput extends RetrieveInput {
  /** Allows GETs within the workflow's own task. */
  readonly retrieve: boolean;
  /** Time in which further events may join the batch, in milliseconds. */
  readonly lingerMs: number;
}

/** Result of recording a batch, with the outcome of announcing it, if that was tried. */
export interface Published {
  readonly recorded: Recorded;
  readonly announced: AnnouncedInline | null;
  readonly calls: readonly WarehouseCall[];
}

/** Result of an inline attempt: published, retrieved but still to be recorded, or in need of a regular activity. */
export type Advanced = Published | { readonly retrieved: Retrieved } | NeedsRetrieval;

/** The warehouse is to be asked by a regular activity. */
export interface NeedsRetrieval {
  readonly operations: readonly Operation[];
  /** Where the subject stands meanwhile, for a run that knew nothing. */
  readonly found: Recorded | null;
  /** Why the attempt failed, if it was made. */
  readonly tried?: Tried;
}

/** An attempt to retrieve that failed. */
export interface Tried {
  readonly reason: string;
  readonly calls: readonly WarehouseCall[];
  /** How long the warehouse asked to wait, in milliseconds. */
  readonly waitMs: number;
}

/** How long a retrieval may have taken for recording to begin within the same attempt, in milliseconds. */
const QUICK_MS = 500;

/**
 * Takes a subject as far as can be done at once: reads what waits for it, retrieves, records and announces. What does not succeed
 * is tried again by regular activities, which the Temporal UI shows with their retries.
 */
export async function advance(deps: ActivityDeps, input: AdvanceInput): Promise<Advanced> {
  const { subject, refresh } = input;
  if (input.lingerMs > 0) await pause(input.lingerMs);
  const startedAt = performance.now();
  const batch = await readBatch(deps, subject, refresh);
  if (batch.eventIds.length === 0 && !batch.plan) {
    return { recorded: await look(deps, input), announced: null, calls: [] };
  }
  const mayRetrieve = !batch.plan || (input.retrieve && deps.inline.mayRetrieve(subject.tenant));
  if (!mayRetrieve) return await needsRetrieval(deps, input, batch);
  let retrieved: Retrieved;
  try {
    retrieved = await retrieveBatch(deps, subject, batch);
  } catch (error) {
    // A canceled GET fails, too, which says nothing of the warehouse.
    cancellationSignal().throwIfAborted();
    const tried = await explain(deps, subject, error);
    return { ...(await needsRetrieval(deps, input, batch)), tried };
  }
  return performance.now() - startedAt > QUICK_MS ? { retrieved } : await publish(deps, input, batch, retrieved);
}

/**
 * Retrieves what the waiting events ask for, records it and tries to announce it once. A failed retrieval is noted for operators
 * and retried by Temporal; announcements that the destination does not accept at once are left to `announce`.
 */
export async function retrieve(deps: ActivityDeps, input: RetrieveInput): Promise<Published> {
  const { subject, refresh } = input;
  const batch = await readBatch(deps, subject, refresh);
  if (batch.eventIds.length === 0 && !batch.plan) {
    return { recorded: await look(deps, input), announced: null, calls: [] };
  }
  return await publish(deps, input, batch, await retrieveNoting(deps, subject, batch));
}

async function retrieveNoting(deps: ActivityDeps, subject: SubjectRef, batch: Batch): Promise<Retrieved> {
  try {
    return await retrieveBatch(deps, subject, batch);
  } catch (error) {
    // A canceled GET fails, too, which says nothing about the warehouse.
    cancellationSignal().throwIfAborted();
    const { cause, operation, calls } = describeFailure(error);
    const waitMs = waitAfter(cause, activityInfo().attempt, longestWaitMs.retrieve, deps.retry);
    await noteFailure(deps, subject, 'retrieving', { error: cause, operation, waitMs });
    throw toFailure(cause, waitMs, [{ calls }]);
  }
}

/** A run that knows nothing may have older announcements to send, and a stage to watch, whatever the warehouse does. */
async function needsRetrieval(deps: ActivityDeps, input: AdvanceInput, { plan }: Batch): Promise<NeedsRetrieval> {
  return { operations: plan?.operations ?? [], found: input.known === null ? await look(deps, input) : null };
}

async function explain(deps: ActivityDeps, subject: SubjectRef, error: unknown): Promise<Tried> {
  const { cause, operation, calls } = describeFailure(error);
  deps.inline.failed(subject.tenant, 'retrieve');
  const waitMs = Math.min(askedWait(cause, { ...deps.retry, slowMs: 0 }) ?? 0, deps.retry.retryAfterCapMs);
  await noteFailure(deps, subject, 'retrieving', { error: cause, operation, waitMs });
  return { reason: `${operation}: ${cause instanceof Error ? cause.message : String(cause)}`, calls, waitMs };
}

async function publish(
  deps: ActivityDeps,
  input: RetrieveInput,
  batch: Batch,
  retrieved: Retrieved,
): Promise<Published> {
  const { subject, known } = input;
  const mayAnnounce = input.announce && deps.inline.mayAnnounce(subject.tenant);
  const recordInput: RecordInput = {
    ...{ subject, known, eventIds: batch.eventIds },
    ...(batch.plan && { retrieved }),
  };
  const leaseMs = mayAnnounce ? leaseMsOf(deps, subject.tenant) : undefined;
  const { announcements, ...recorded } = await recordFor(deps, recordInput, leaseMs);
  // A run that knew less than was recorded may have older announcements to send first.
  const isAll = recorded.announce.length === announcements.length;
  const isLeased = mayAnnounce && announcements.length > 0;
  if (isLeased && isAll) {
    return { recorded, announced: await announceInline(deps, subject, announcements), calls: retrieved.calls };
  }
  if (isLeased) await deps.outbox.release(announcements);
  return { recorded, announced: null, calls: retrieved.calls };
}
