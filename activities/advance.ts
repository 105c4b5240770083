import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { messageOf } from '../src/domain/errors.ts';
import { longestWaitMs } from '../src/domain/retry-policy.ts';
import { type AnnouncedInline, announceInline } from './announce.ts';
import { type Batch, readBatch } from './batch.ts';
import { askedWait, noteFailure, toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { look, type Recorded, type RecordInput, recordFor } from './record.ts';
import { RetrievalError, type WarehouseCall } from './retrieval.ts';
import { type Retrieved, retrieveBatch } from './retrieve.ts';
import { leaseMsOf } from './send.ts';

/** Request to retrieve, record and announce the events of a subject. */
export interface RetrieveInput {
  readonly subject: SubjectRef;
  /** Revision that the workflow knows; null for a run that has not read the store. */
  readonly known: number | null;
  /** Fetches the subject itself even if no event asks for it. */
  readonly refresh: boolean;
  /** Allows sending the announcements inline; requires that no older one waits. */
  readonly announce: boolean;
  /** An inline attempt to retrieve has failed. */
  readonly wasTried?: boolean;
}

/** Request to advance a subject inline. */
export interface AdvanceInput extends RetrieveInput {
  /** Allows GETs within the workflow's own task. */
  readonly retrieve: boolean;
  /** Time to linger for further events to join the batch, in milliseconds. */
  readonly lingerMs: number;
}

/** Result of recording a batch, and of announcing it, if that was tried. */
export interface Published {
  readonly recorded: Recorded;
  readonly announced: AnnouncedInline | null;
  readonly calls: readonly WarehouseCall[];
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

/**
 * Retrieves what the waiting events ask for, records it and tries to announce it once. A failed retrieval is recorded for people to
 * see and retried by Temporal; announcements that the destination does not accept at once are left to `announce`.
 */
export async function retrieve(deps: ActivityDeps, input: RetrieveInput): Promise<Published> {
  const { subject, refresh, wasTried = false } = input;
  const batch = await readBatch(deps, subject, refresh);
  if (isEmpty(batch)) return await report(deps, input);
  let retrieved: Retrieved;
  try {
    const { attempt, scheduledTimestampMs: since } = activityInfo();
    retrieved = await retrieveBatch(deps, subject, batch, { isRetry: wasTried || attempt > 1, since });
  } catch (error) {
    const { cause, calls, waitMs } = await noteRetrieval(deps, subject, error, (reason) =>
      waitAfter(reason, activityInfo().attempt, longestWaitMs.retrieve, deps.retry),
    );
    throw toFailure(cause, waitMs, [{ calls }]);
  }
  return await publish(deps, input, batch, retrieved);
}

const isEmpty = ({ eventIds, plan }: Batch): boolean => eventIds.length === 0 && !plan;

/** Reports the current state of a subject that has no work. */
async function report(deps: ActivityDeps, input: RetrieveInput): Promise<Published> {
  return { recorded: await look(deps, input), announced: null, calls: [] };
}

/** Records a failed retrieval for people to see, with its wait before the next attempt. */
async function noteRetrieval(
  deps: ActivityDeps,
  subject: SubjectRef,
  error: unknown,
  waitFor: (cause: unknown) => number,
) {
  // A canceled GET fails, too, which says nothing about the warehouse.
  cancellationSignal().throwIfAborted();
  const { cause, operation, calls } =
    error instanceof RetrievalError ? error : { cause: error, operation: 'retrieve', calls: [] };
  const waitMs = waitFor(cause);
  await noteFailure(deps, subject, 'retrieving', { error: cause, operation, waitMs });
  return { cause, operation, calls, waitMs };
}

/** A run that has not read the store may have older announcements to send, and a stage to watch, whatever the warehouse does. */
async function needsRetrieval(deps: ActivityDeps, input: AdvanceInput, { plan }: Batch): Promise<NeedsRetrieval> {
  return { operations: plan?.operations ?? [], found: input.known === null ? await look(deps, input) : null };
}

async function explain(deps: ActivityDeps, subject: SubjectRef, error: unknown): Promise<Tried> {
  const { cause, operation, calls, waitMs } = await noteRetrieval(deps, subject, error, (reason) =>
    askedWait(reason, deps.retry),
  );
  deps.inline.failed(subject.tenant, 'retrieve');
  return { reason: `${operation}: ${messageOf(cause)}`, calls, waitMs };
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
    subject,
    known,
    eventIds: batch.eventIds,
    traces: batch.traces,
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
