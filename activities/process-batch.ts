import { cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { LeasedAnnouncement } from '../src/domain/outgoing.ts';
import { backoffs, withJitter } from '../src/domain/retry-policy.ts';
import { inSpan, subjectAttributes } from '../src/domain/tracing.ts';
import type { Known } from '../src/warehouse/gets.ts';
import { type AnnouncedInline, announceInline } from './announce.ts';
import { type Batch, joinLate, type RetrievalPlan } from './batch.ts';
import { noteFailure } from './failure.ts';
import { fetchOwnRecord, fetchParts, isBusy } from './fetch.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type Recorded, recordFor, reloadOrStall } from './record.ts';
import { type Attempts, beginRetrieval, RetrievalError, type Retrieved, type WarehouseCall } from './retrieval.ts';
import { leaseMsOf } from './send.ts';

/** Fetches everything that a batch asks for and stores the bodies. Names what can be done without. @throws RetrievalError */
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

/** Undefined if nothing proves it, as where a known record is no longer stored. */
async function knownOf(
  { resources }: Pick<ActivityDeps, 'resources'>,
  { tenant, kind, id }: SubjectRef,
  { newest, plan }: Batch,
): Promise<Known | undefined> {
  if (!newest) return undefined;
  const stored = await resources.find(tenant, kind, id);
  return stored || plan?.isNew ? { stored: stored?.body, newest } : undefined;
}

/** Hardly any event comes within it: none is looked for. */
const SOON_MS = 20;

async function retrievePlan(
  deps: ActivityDeps,
  subject: SubjectRef,
  batch: Batch & { readonly plan: RetrievalPlan },
  attempts: Attempts,
): Promise<Retrieved> {
  const readAt = Date.now();
  let startedAt = readAt;
  let late: { readonly at: number; readonly batch: Batch } | undefined;
  const join = async (at: number) => {
    late = { at, batch: await joinLate(deps, subject, batch, at) };
    return late.batch;
  };
  const known = async (at: number) => await knownOf(deps, subject, await join(at));
  const retrieval = { ...beginRetrieval(deps, subject, batch, attempts), ...(batch.newest && { known }) };
  const { calls, failedGets: refused } = retrieval;
  const found = await fetchOwnRecord(retrieval, (at) => {
    startedAt = at;
  });
  if (found === 'gone') {
    return { eventIds: batch.eventIds, startedAt, calls, snapshot: { status: 'gone' }, refused };
  }
  const hasWaited = found !== undefined && startedAt - readAt > SOON_MS;
  const joined = late?.at === startedAt ? late.batch : hasWaited ? await join(startedAt) : batch;
  const { eventIds, plan = batch.plan, pickListSince } = joined;
  await fetchParts({ ...retrieval, plan, pickListSince }, found);
  return {
    eventIds,
    startedAt,
    calls,
    snapshot: found?.snapshot ?? null,
    facts: found?.facts,
    refused,
    isDisputed: found?.disputed,
    pickJobId: plan.pickJobId ?? found?.snapshot.pickJobId,
    modifiedBy: found?.lastModifiedBy,
  };
}

export interface BatchInput {
  readonly subject: SubjectRef;
  readonly known: number | null;
  /** Fetches the subject itself even if no event asks for it. */
  readonly refresh: boolean;
  readonly announce: boolean;
  /** Destinations for which older announcements wait; they get nothing inline. */
  readonly busy: readonly string[];
}

interface BatchLimits {
  readonly attempts: Attempts;
  readonly mayAnnounce: () => boolean;
  readonly waitAfter: (cause: unknown) => number;
}

export interface Published {
  readonly recorded: Recorded;
  readonly announced: Readonly<Record<string, AnnouncedInline>>;
  readonly calls: readonly WarehouseCall[];
  /** Destinations for which somebody has ended the wait. Named as in recorded histories. */
  readonly hurried?: readonly string[];
}

interface FailedRetrieval {
  readonly cause: unknown;
  readonly operation: Operation | 'retrieve';
  readonly calls: readonly WarehouseCall[];
  readonly waitMs: number;
}

/**
 * Retrieves and records a batch and tries to announce it once. A failed retrieval is noted for people and left to its
 * next attempt or a regular activity; announcements not accepted at once are left to `announce`.
 */
export async function processBatch(
  deps: ActivityDeps,
  input: BatchInput,
  batch: Batch,
  limits: BatchLimits,
): Promise<Published | FailedRetrieval> {
  const { subject } = input;
  const { eventIds, plan } = batch;
  if (eventIds.length === 0 && !plan)
    return {
      recorded: await reloadOrStall(deps, input),
      announced: {},
      calls: [],
      ...(await expeditedOf(deps, input)),
    };
  using _counted = deps.retrieving(eventIds.length);
  let retrieved: Retrieved;
  try {
    retrieved = await retrieveBatch(deps, subject, batch, limits.attempts);
  } catch (error) {
    return await noteRetrieval(deps, input, { error, ...limits });
  }
  return await publish(deps, input, batch, retrieved, limits);
}

async function expeditedOf({ subjects }: ActivityDeps, { subject }: BatchInput): Promise<Pick<Published, 'hurried'>> {
  const expedited = await subjects.takeExpedited(subject);
  return expedited.length > 0 ? { hurried: expedited } : {};
}

async function noteRetrieval(
  deps: ActivityDeps,
  { subject }: BatchInput,
  { error, waitAfter }: Pick<BatchLimits, 'waitAfter'> & { readonly error: unknown },
): Promise<FailedRetrieval> {
  // A canceled GET fails, too, which says nothing about the warehouse.
  cancellationSignal().throwIfAborted();
  const { cause, operation, calls } =
    error instanceof RetrievalError ? error : { cause: error, operation: 'retrieve' as const, calls: [] };
  // It gives its place to others, and comes back.
  if (isBusy(error)) return { cause, operation, calls, waitMs: withJitter(backoffs.retrieve.firstMs) };
  const waitMs = waitAfter(cause);
  await noteFailure(deps, subject, 'retrieving', { error: cause, operation, waitMs, gets: calls });
  return { cause, operation, calls, waitMs };
}

async function publish(
  deps: ActivityDeps,
  input: BatchInput,
  batch: Batch,
  retrieved: Retrieved,
  { mayAnnounce }: BatchLimits,
): Promise<Published> {
  const { subject, known, busy } = input;
  const { tenant } = subject;
  const isAllowed = input.announce && mayAnnounce() && deps.mayInline(tenant, 0);
  const isLeft = (destination: string) =>
    busy.includes(destination) || deps.breaker.isOpen({ tenant, operation: `announce to ${destination}` });
  const leaseMs = (destination: string) => (isAllowed && !isLeft(destination) ? leaseMsOf(deps) : undefined);
  const { eventIds } = retrieved;
  const recordInput = { subject, known, eventIds, traces: batch.traces, ...(batch.plan && { retrieved }) };
  const { leased, ...recorded } = await recordFor(deps, recordInput, leaseMs);
  // What this run did not know of goes first, as does what waited for a paused destination; to one that is paused nothing goes.
  const isFirst = ({ destination }: LeasedAnnouncement) =>
    recorded.announce[destination]?.length === leased.filter((it) => it.destination === destination).length;
  await deps.outbox.release(leased.filter((it) => !isFirst(it)));
  return {
    recorded,
    announced: await announceInline(deps, subject, leased.filter(isFirst)),
    calls: retrieved.calls,
    ...(await expeditedOf(deps, input)),
  };
}
