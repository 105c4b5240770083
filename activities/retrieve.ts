import { cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue.ts';
import type { FoundIds, ResourceKind } from '../src/domain/enrichment.ts';
import { DocklineError, failures } from '../src/domain/errors.ts';
import type { Snapshot } from '../src/domain/snapshot.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/subject.ts';
import { getOrderItems } from './order-items.ts';
import type { ActivityDeps, Recollection, RetrievedSubject, Warehouse } from './ports.ts';
import { recall } from './record.ts';

/** What a batch of events asks for: each operation once. */
export interface RetrieveInput {
  readonly subject: SubjectRef;
  readonly plan: readonly Operation[];
  /** The users that the events name; where one names none, the subject's last modifier stands in. */
  readonly userIds: readonly string[];
  readonly pickJobId?: string;
  /** The lines of the order that the events are about. */
  readonly orderItemIds?: readonly string[];
  /** The customer as far as it is known already. */
  readonly customerId?: string;
  /** The warehouse does not list the subject any more, so that not finding it is an answer. */
  readonly missing?: boolean;
  /** What is known of the subject already is wanted, too: the run has just begun. */
  readonly recall?: boolean;
}

/** What was found; the bodies are in the store. */
export interface Retrieved extends FoundIds {
  readonly snapshot: Snapshot | null;
  /** What the warehouse refused for good, as `operation: message`. */
  readonly refused: readonly string[];
  /** What an earlier run left, null where there was none; only where it was asked for. */
  readonly recollection?: Recollection | null;
}

/** One run of {@link retrieve}. */
export interface Retrieval {
  readonly deps: ActivityDeps;
  readonly warehouse: Warehouse;
  readonly input: RetrieveInput;
  readonly signal: AbortSignal;
  /** What was refused for good so far. */
  readonly refused: string[];
  /** GETs; undefined, with a note, for what is refused for good. */
  attempt<T>(operation: Operation, get: () => Promise<T>): Promise<T | undefined>;
}

/**
 * GETs what a batch of events asks for and stores the bodies. What is refused for good is reported, so that it marks the
 * subject but never fails it; anything else fails the attempt, and Temporal tries again.
 */
export async function retrieve(deps: ActivityDeps, { recall: recalls, ...input }: RetrieveInput): Promise<Retrieved> {
  if (!recalls) return retrieveAll(deps, input);
  const recollection = await recall(deps, input.subject);
  const customerId = input.customerId ?? recollection?.lifecycle.snapshot?.customerId;
  return { ...(await retrieveAll(deps, { ...input, ...(customerId && { customerId }) })), recollection };
}

/** A retrieval that succeeded. */
export interface RetrievedAtOnce {
  readonly retrieved: Retrieved;
}

/** What came of a retrieval that was tried at once; without one, how long the warehouse asked to wait, in milliseconds. */
export type TriedAtOnce = RetrievedAtOnce | { readonly waitMs: number };

/**
 * The same within the workflow's own task, where the warehouse may be asked beside those whose turn it is. What does not succeed is
 * tried again, and seen, on the task queue.
 */
export async function retrieveAtOnce(deps: ActivityDeps, input: RetrieveInput): Promise<TriedAtOnce> {
  const { tenant } = input.subject;
  if (!deps.offhand.isWelcome(tenant)) return { waitMs: 0 };
  try {
    return { retrieved: await retrieve(deps, input) };
  } catch (error) {
    deps.offhand.failed(tenant);
    const askedMs = error instanceof DocklineError ? (error.retryAfterMs ?? 0) : 0;
    return { waitMs: Math.min(askedMs, deps.retry.retryAfterCapMs) };
  }
}

async function retrieveAll(deps: ActivityDeps, input: RetrieveInput): Promise<Retrieved> {
  const refused: string[] = [];
  const retrieval: Retrieval = {
    ...{ deps, input, refused, warehouse: deps.warehouseOf(input.subject.tenant), signal: cancellationSignal() },
    async attempt(operation, get) {
      try {
        return await get();
      } catch (error) {
        if (!isFinal(error)) throw error;
        refused.push(`${operation}: ${error.message}`);
        return undefined;
      }
    },
  };
  const found = await findSubject(retrieval);
  if (found === 'gone') return { snapshot: { status: 'gone' }, refused };

  await getCustomer(retrieval, found?.snapshot.customerId ?? input.customerId);
  if (input.orderItemIds?.length) await getOrderItems(retrieval, input.orderItemIds);
  const pickJobId = input.pickJobId ?? found?.snapshot.pickJobId;
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
  const { subject, plan, missing, pickJobId } = retrieval.input;
  const operation = retrievalOf[subject.kind];
  const isNeeded = operation && (plan.includes(operation) || (plan.includes('getOrdersPicklist') && !pickJobId));
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
  input: { subject, customerId },
  signal,
}: Omit<Retrieval, 'attempt'>): Promise<RetrievedSubject> {
  const retrieved = await warehouse.getSubject({ ...subject, ...(customerId && { customerId }) }, signal);
  await deps.resources.put(subject.tenant, subject.kind, subject.id, retrieved.body);
  return retrieved;
}

/** A customer enriches an announcement; whatever keeps it from being fetched is no reason to hold that back. */
async function getCustomer(retrieval: Retrieval, id: string | undefined): Promise<void> {
  const { warehouse, signal } = retrieval;
  if (!id) return;
  try {
    await keepFresh(retrieval, { kind: 'customer', id }, () => warehouse.getCustomer(id, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DocklineError) || error.code === 'ERR_STORE_UNAVAILABLE') throw error;
  }
}

async function getPickList(
  { deps, warehouse, input, signal, attempt }: Retrieval,
  id: string | undefined,
): Promise<void> {
  if (!id || !input.plan.includes('getOrdersPicklist')) return;
  await attempt('getOrdersPicklist', async () =>
    deps.resources.put(input.subject.tenant, 'pickList', id, await warehouse.getPickList(id, signal)),
  );
}

async function getUsers(retrieval: Retrieval, lastModifiedBy: string | undefined): Promise<void> {
  const { warehouse, input, signal, attempt } = retrieval;
  if (!input.plan.includes('getUser')) return;
  for (const id of new Set([...input.userIds, ...(lastModifiedBy ? [lastModifiedBy] : [])])) {
    await attempt('getUser', () => keepFresh(retrieval, { kind: 'user', id }, () => warehouse.getUser(id, signal)));
  }
}

/** Fetches what changes rarely only where what is stored of it is too old. */
async function keepFresh(
  { deps, input: { subject } }: Pick<Retrieval, 'deps' | 'input'>,
  { kind, id }: { readonly kind: ResourceKind; readonly id: string },
  fetchBody: () => Promise<string>,
): Promise<void> {
  const known = await deps.resources.find(subject.tenant, kind, id);
  if (known && known.ageMs < deps.directoryMaxAgeMs) return;
  await deps.resources.put(subject.tenant, kind, id, await fetchBody());
}
