import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue.ts';
import type { FoundIds, ResourceKind } from '../src/domain/enrichment.ts';
import { DocklineError, failures } from '../src/domain/errors.ts';
import { longestWaitMs } from '../src/domain/retry-policy.ts';
import type { Snapshot } from '../src/domain/snapshot.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/subject.ts';
import { type Batch, type RetrievalPlan, readBatch } from './batch.ts';
import { noteFailure, toFailure, waitAfter } from './failure.ts';
import { getOrderItems } from './order-items.ts';
import type { ActivityDeps, RetrievedSubject, Warehouse } from './ports.ts';

/** Which subject is retrieved. */
export interface RetrieveInput {
  readonly subject: SubjectRef;
  /** The subject itself is fetched whether or not an event asks for it. */
  readonly refresh: boolean;
}

/** One answer of the warehouse: the status of HTTP, null where there was none, and how long it took, in milliseconds. */
export interface WarehouseCall {
  readonly operation: Operation;
  readonly status: number | null;
  readonly ms: number;
}

/** What was found; the bodies are in the store. */
export interface Retrieved extends FoundIds {
  /** The events for which it was retrieved: all that waited when it began. */
  readonly eventIds: readonly string[];
  readonly snapshot: Snapshot | null;
  /** What the warehouse refused for good, as `operation: message`. */
  readonly refused: readonly string[];
  readonly calls: readonly WarehouseCall[];
}

/** One run of {@link retrieve}. */
export interface Retrieval {
  readonly deps: ActivityDeps;
  readonly warehouse: Warehouse;
  readonly subject: SubjectRef;
  readonly plan: RetrievalPlan;
  readonly signal: AbortSignal;
  /** What was refused for good so far. */
  readonly refused: string[];
  /** GETs; the failure says which operation it was. */
  call<T>(operation: Operation, get: () => Promise<T>): Promise<T>;
  /** GETs; undefined, with a note, for what is refused for good. */
  attempt<T>(operation: Operation, get: () => Promise<T>): Promise<T | undefined>;
}

/** Why a retrieval did not succeed. */
export class RetrievalError extends Error {
  override readonly name = 'RetrievalError';
  override readonly cause: unknown;
  readonly operation: Operation;
  readonly calls: readonly WarehouseCall[];

  constructor(operation: Operation, calls: readonly WarehouseCall[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.operation = operation;
    this.calls = calls;
    this.cause = cause;
  }
}

/**
 * GETs what the events that wait ask for and stores the bodies. What is refused for good is reported, so that it marks the
 * subject but never fails it; anything else fails the attempt, and Temporal tries again.
 */
export async function retrieve(deps: ActivityDeps, { subject, refresh }: RetrieveInput): Promise<Retrieved> {
  return await retrieveBatch(deps, subject, await readBatch(deps, subject, refresh));
}

/** The same for a batch that was read already. @throws RetrievalError */
export async function retrieveBatch(
  deps: ActivityDeps,
  subject: SubjectRef,
  { eventIds, plan }: Batch,
): Promise<Retrieved> {
  const calls: WarehouseCall[] = [];
  const refused: string[] = [];
  if (!plan) return { eventIds, snapshot: null, refused, calls };
  return { eventIds, calls, ...(await retrieveAll(begin(deps, subject, plan, { calls, refused }))) };
}

function begin(
  deps: ActivityDeps,
  subject: SubjectRef,
  plan: RetrievalPlan,
  { calls, refused }: { readonly calls: WarehouseCall[]; readonly refused: string[] },
): Retrieval {
  let operation: Operation = 'getOrder';
  const warehouse = deps.warehouseOf(subject.tenant, (answer) => calls.push({ operation, ...answer }));
  async function call<T>(current: Operation, get: () => Promise<T>): Promise<T> {
    operation = current;
    const startedAt = performance.now();
    const before = calls.length;
    try {
      return await get();
    } catch (error) {
      const ms = Math.round(performance.now() - startedAt);
      if (calls.length === before) calls.push({ operation, status: null, ms });
      throw new RetrievalError(current, calls, error);
    }
  }
  async function attempt<T>(current: Operation, get: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call(current, get);
    } catch (error) {
      if (!isFinal((error as RetrievalError).cause)) throw error;
      refused.push(`${current}: ${(error as Error).message}`);
      return undefined;
    }
  }
  return { deps, warehouse, subject, plan, refused, signal: cancellationSignal(), call, attempt };
}

async function retrieveAll(retrieval: Retrieval): Promise<Omit<Retrieved, 'eventIds' | 'calls'>> {
  const { plan, refused } = retrieval;
  const found = await findSubject(retrieval);
  if (found === 'gone') return { snapshot: { status: 'gone' }, refused };

  await getCustomer(retrieval, found?.snapshot.customerId ?? plan.customerId);
  if (plan.orderItemIds?.length) await getOrderItems(retrieval, plan.orderItemIds);
  const pickJobId = plan.pickJobId ?? found?.snapshot.pickJobId;
  await getPickList(retrieval, pickJobId);
  await getUsers(retrieval, found?.lastModifiedBy);
  return {
    snapshot: found?.snapshot ?? null,
    refused,
    ...(pickJobId && { pickJobId }),
    ...(found?.lastModifiedBy && { modifiedBy: found.lastModifiedBy }),
  };
}

function isFinal(error: unknown): error is DocklineError {
  return error instanceof DocklineError && failures[error.code] === 'never';
}

async function findSubject({ attempt, ...retrieval }: Retrieval): Promise<RetrievedSubject | 'gone' | undefined> {
  const { operations, missing, pickJobId } = retrieval.plan;
  const operation = retrievalOf[retrieval.subject.kind];
  const isNeeded =
    operation && (operations.includes(operation) || (operations.includes('getOrdersPicklist') && !pickJobId));
  if (!isNeeded) return undefined;
  return attempt(operation, async () => {
    try {
      return await getSubject(retrieval);
    } catch (error) {
      if (missing && error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_NOT_FOUND') return 'gone';
      throw error;
    }
  });
}

async function getSubject({
  deps,
  warehouse,
  subject,
  plan: { customerId },
  signal,
}: Omit<Retrieval, 'attempt'>): Promise<RetrievedSubject> {
  const retrieved = await warehouse.getSubject({ ...subject, ...(customerId && { customerId }) }, signal);
  await deps.resources.put(subject.tenant, subject.kind, subject.id, retrieved.body);
  return retrieved;
}

/** A customer enriches an announcement; whatever keeps it from being fetched is no reason to hold that back. */
async function getCustomer(retrieval: Retrieval, id: string | undefined): Promise<void> {
  const { warehouse, signal, call } = retrieval;
  if (!id) return;
  try {
    await call('getCustomer', () =>
      keepFresh(retrieval, { kind: 'customer', id }, () => warehouse.getCustomer(id, signal)),
    );
  } catch (error) {
    signal.throwIfAborted();
    const { cause } = error as RetrievalError;
    if (!(cause instanceof DocklineError) || cause.code === 'ERR_STORE_UNAVAILABLE') throw error;
  }
}

async function getPickList(
  { deps, warehouse, subject, plan, signal, attempt }: Retrieval,
  id: string | undefined,
): Promise<void> {
  if (!id || !plan.operations.includes('getOrdersPicklist')) return;
  await attempt('getOrdersPicklist', async () =>
    deps.resources.put(subject.tenant, 'pickList', id, await warehouse.getPickList(id, signal)),
  );
}

async function getUsers(retrieval: Retrieval, lastModifiedBy: string | undefined): Promise<void> {
  const { warehouse, plan, signal, attempt } = retrieval;
  if (!plan.operations.includes('getUser')) return;
  for (const id of new Set([...plan.userIds, ...(lastModifiedBy ? [lastModifiedBy] : [])])) {
    await attempt('getUser', () => keepFresh(retrieval, { kind: 'user', id }, () => warehouse.getUser(id, signal)));
  }
}

/** Fetches what changes rarely only where what is stored of it is too old. */
async function keepFresh(
  { deps, subject }: Pick<Retrieval, 'deps' | 'subject'>,
  { kind, id }: { readonly kind: ResourceKind; readonly id: string },
  fetchBody: () => Promise<string>,
): Promise<void> {
  const known = await deps.resources.find(subject.tenant, kind, id);
  if (known && known.ageMs < deps.directoryMaxAgeMs) return;
  await deps.resources.put(subject.tenant, kind, id, await fetchBody());
}

/** Retrieves, and tells operators of a failure before Temporal tries again. */
export async function retrieveNoting(deps: ActivityDeps, input: RetrieveInput): Promise<Retrieved> {
  try {
    return await retrieve(deps, input);
  } catch (error) {
    cancellationSignal().throwIfAborted();
    const { cause, operation, calls } = describeFailure(error);
    const waitMs = waitAfter(cause, activityInfo().attempt, longestWaitMs.retrieve, deps.retry);
    await noteFailure(deps, input.subject, 'retrieving', { error: cause, operation, waitMs });
    throw toFailure(cause, waitMs, [{ calls }]);
  }
}

/** What a failed retrieval tells. */
export function describeFailure(error: unknown): {
  readonly cause: unknown;
  readonly operation: Operation | 'retrieve';
  readonly calls: readonly WarehouseCall[];
} {
  return error instanceof RetrievalError ? error : { cause: error, operation: 'retrieve', calls: [] };
}
