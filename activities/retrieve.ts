import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { FoundIds, ResourceKind } from '../src/domain/catalogue/enrichment.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError } from '../src/domain/errors.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import { longestWaitMs } from '../src/domain/retry-policy.ts';
import { type Batch, readBatch } from './batch.ts';
import { noteFailure, toFailure, waitAfter } from './failure.ts';
import { getOrderItems } from './order-items.ts';
import type { ActivityDeps, RetrievedSubject } from './ports.ts';
import {
  beginRetrieval,
  describeFailure,
  type Retrieval,
  type RetrievalError,
  type WarehouseCall,
} from './retrieval.ts';

/** What was found; the bodies are in the store. */
export interface Retrieved extends FoundIds {
  /** The events for which it was retrieved: all that waited when it began. */
  readonly eventIds: readonly string[];
  readonly snapshot: Snapshot | null;
  /** What the warehouse refused for good, as `operation: message`. */
  readonly refused: readonly string[];
  readonly calls: readonly WarehouseCall[];
}

/**
 * GETs what a batch asks for and stores the bodies. Operations that the warehouse refuses for good are reported in the result; any
 * other failure fails the retrieval. @throws RetrievalError
 */
export async function retrieveBatch(
  deps: ActivityDeps,
  subject: SubjectRef,
  { eventIds, plan }: Batch,
): Promise<Retrieved> {
  const calls: WarehouseCall[] = [];
  const refused: string[] = [];
  if (!plan) return { eventIds, snapshot: null, refused, calls };
  return { eventIds, calls, ...(await retrieveAll(beginRetrieval(deps, subject, plan, { calls, refused }))) };
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
