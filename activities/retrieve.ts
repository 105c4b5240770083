import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { LeasedAnnouncement } from '../src/domain/outgoing.ts';
import { longestWaitMs, retryPolicy, withJitter } from '../src/domain/retry-policy.ts';
import { inSpan, subjectAttributes } from '../src/domain/tracing.ts';
import { type AnnouncedInline, announceInline } from './announce.ts';
import { type Batch, joinLate, readBatch } from './batch.ts';
import { noteFailure, toFailure, waitAfter } from './failure.ts';
import { fetchOwnRecord, fetchParts, isBusy } from './fetch.ts';
import type { RetrievalPlan } from './plan.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { look, type Recorded, type RecordInput, recordFor } from './record.ts';
import { type Attempts, beginRetrieval, RetrievalError, type Retrieved, type WarehouseCall } from './retrieval.ts';
import { leaseMsOf } from './send.ts';

/** Request to retrieve, record and announce the events of a subject. */
export interface RetrieveInput {
  readonly subject: SubjectRef;
  /** Revision that the workflow knows; null for a run that has not read the store. */
  readonly known: number | null;
  /** Fetches the subject itself even if no event asks for it. */
  readonly refresh: boolean;
  /** Allows sending the announcements inline. */
  readonly announce: boolean;
  /** Names of the destinations for which older announcements wait, which get nothing inline. */
  readonly busy: readonly string[];
  /** An inline attempt to retrieve has failed. */
  readonly wasTried?: boolean;
}

/** Result of recording a batch, and of announcing it, if that was tried. */
export interface Published {
  readonly recorded: Recorded;
  /** Inline attempts by destination. */
  readonly announced: Readonly<Record<string, AnnouncedInline>>;
  readonly calls: readonly WarehouseCall[];
  /** Destinations for which somebody has ended the wait for the next attempt. */
  readonly hurried?: readonly string[];
}

/**
 * Retrieves what the waiting events ask for, records it and tries to announce it once. A failed retrieval is recorded for people to
 * see and retried by Temporal; announcements that the destination does not accept at once are left to `announce`.
 */
export async function retrieve(deps: ActivityDeps, input: RetrieveInput): Promise<Published> {
  const { subject, refresh, wasTried = false } = input;
  const batch = await readBatch(deps, subject, refresh);
  if (isEmpty(batch)) return await report(deps, input);
  using _counted = deps.retrieving(batch.eventIds.length);
  let retrieved: Retrieved;
  try {
    const { attempt, scheduledTimestampMs: since } = activityInfo();
    retrieved = await retrieveBatch(deps, subject, batch, { isRetry: wasTried || attempt > 1, since });
  } catch (error) {
    // It gives its place to others, and comes back.
    if (isBusy(error)) throw toFailure(error.cause, withJitter(retryPolicy.initialIntervalMs));
    const { cause, calls, waitMs } = await noteRetrieval(deps, subject, error, (reason) =>
      waitAfter(reason, activityInfo().attempt, longestWaitMs.retrieve, deps.retry),
    );
    throw toFailure(cause, waitMs, [{ calls }]);
  }
  return await publish(deps, input, batch, retrieved);
}

/** Reports whether a subject has no work. */
export const isEmpty = ({ eventIds, plan }: Batch): boolean => eventIds.length === 0 && !plan;

/** Reports the current state of a subject that has no work. */
export async function report(deps: ActivityDeps, input: RetrieveInput): Promise<Published> {
  return { recorded: await look(deps, input), announced: {}, calls: [], ...(await hurriedOf(deps, input)) };
}

async function hurriedOf({ subjects }: ActivityDeps, { subject }: RetrieveInput): Promise<Pick<Published, 'hurried'>> {
  const hurried = await subjects.takeHurries(subject);
  return hurried.length > 0 ? { hurried } : {};
}

/**
 * Fetches everything that a batch asks for and stores the bodies. The result names what can be done without; any other failure fails
 * the retrieval. @throws RetrievalError
 */
export async function retrieveBatch(
  deps: ActivityDeps,
  subject: SubjectRef,
  batch: Batch,
  attempts: Attempts,
): Promise<Retrieved> {
  const { plan, traces, eventIds } = batch;
  if (!plan) return { eventIds, startedAt: Date.now(), snapshot: null, refused: [], calls: [] };
  const describe = () => ({ traces, attributes: subjectAttributes(subject) });
  return await inSpan(deps, `retrieve ${subject.kind}`, describe, async () => {
    const trace = deps.tracing?.current();
    return { ...(await retrievePlan(deps, subject, { ...batch, plan }, attempts)), ...(trace && { trace }) };
  });
}

/** Time within which hardly any event comes, in milliseconds: none is looked for. */
const SOON_MS = 20;

async function retrievePlan(
  deps: ActivityDeps,
  subject: SubjectRef,
  batch: Batch & { readonly plan: RetrievalPlan },
  attempts: Attempts,
): Promise<Retrieved> {
  const readAt = Date.now();
  let startedAt = readAt;
  const retrieval = beginRetrieval(deps, subject, batch, attempts);
  const { calls, failedGets: refused } = retrieval;
  const found = await fetchOwnRecord(retrieval, (at) => {
    startedAt = at;
  });
  if (found === 'gone') {
    return { eventIds: batch.eventIds, startedAt, calls, snapshot: { status: 'gone' }, refused };
  }
  const hasWaited = found !== undefined && startedAt - readAt > SOON_MS;
  const {
    eventIds,
    plan = batch.plan,
    pickListSince,
  } = hasWaited ? await joinLate(deps, subject, batch, startedAt) : batch;
  await fetchParts({ ...retrieval, plan, pickListSince }, found);
  const pickJobId = plan.pickJobId ?? found?.snapshot.pickJobId;
  return {
    eventIds,
    startedAt,
    calls,
    snapshot: found?.snapshot ?? null,
    facts: found?.facts,
    refused,
    ...(pickJobId && { pickJobId }),
    ...(found?.lastModifiedBy && { modifiedBy: found.lastModifiedBy }),
  };
}

/** Records a failed retrieval for people to see, with its wait before the next attempt. */
export async function noteRetrieval(
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

/** Records a retrieved batch, and tries once to announce it if that is allowed. */
export async function publish(
  deps: ActivityDeps,
  input: RetrieveInput,
  batch: Batch,
  retrieved: Retrieved,
): Promise<Published> {
  const { subject, known } = input;
  const leaseMs = (destination: string) =>
    input.announce && !input.busy.includes(destination) && deps.inline.mayAnnounce(subject.tenant, destination)
      ? leaseMsOf(deps)
      : undefined;
  const recordInput: RecordInput = {
    subject,
    known,
    eventIds: retrieved.eventIds,
    traces: batch.traces,
    ...(batch.plan && { retrieved }),
  };
  const { leased, ...recorded } = await recordFor(deps, recordInput, leaseMs);
  // What this run did not know of goes first, as does what waited for a paused destination; to one that is paused nothing goes.
  const isFirst = ({ destination }: LeasedAnnouncement) =>
    recorded.announce[destination]?.length === leased.filter((it) => it.destination === destination).length;
  await deps.outbox.release(leased.filter((it) => !isFirst(it)));
  return {
    recorded,
    announced: await announceInline(deps, subject, leased.filter(isFirst)),
    calls: retrieved.calls,
    ...(await hurriedOf(deps, input)),
  };
}
