import { HOUR_MS } from '../src/base/moment.ts';
import { words } from '../src/base/text.ts';
import type { ResourceKind } from '../src/domain/catalogue/enrichment.ts';
import type { Operation, OwnOperation } from '../src/domain/catalogue/operation.ts';
import { orderItemKey, retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, type FailureCode } from '../src/domain/errors.ts';
import type { Refused } from '../src/domain/lifecycle/gets.ts';
import type { RetrievedSubject } from '../src/warehouse/gets.ts';
import type { Warehouse } from '../src/warehouse/warehouse.ts';
import { type Retrieval, RetrievalError } from './retrieval.ts';

type Found = RetrievedSubject | 'gone' | undefined;

type Fetch = (retrieval: Retrieval, found: RetrievedSubject | undefined) => Promise<void>;

/** Operations that return a part of announcements, fetched at the same time, after the subject. To add one, add a row. */
const parts = {
  getCustomer: fetchCustomer,
  getOrdersItem: fetchOrderItems,
  getOrdersPicklist: fetchPickList,
  getUser: fetchUsers,
} as const satisfies Record<Exclude<Operation, OwnOperation>, Fetch>;

/** @throws RetrievalError */
export async function fetchParts(retrieval: Retrieval, found: RetrievedSubject | undefined): Promise<void> {
  const settled = await Promise.allSettled(Object.values(parts).map((fetch) => fetch(retrieval, found)));
  const failed = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (failed) throw failed.reason;
}

export async function fetchOwnRecord(retrieval: Retrieval, onBegin: (startedAt: number) => void): Promise<Found> {
  const { deps, subject, plan, signal, rank, known } = retrieval;
  const { tenant, kind, id } = subject;
  const { operations, pickJobId, customerId, missing } = plan;
  const operation = retrievalOf[kind];
  // A pick list is found through its order, unless an event names the pick job.
  const isNeeded = (it: Operation) =>
    operations.includes(it) || (operations.includes('getOrdersPicklist') && !pickJobId);
  if (!operation || !isNeeded(operation)) return undefined;
  const get = async (warehouse: Warehouse): Promise<Found> => {
    try {
      const urgency = { rank, onBegin, known };
      const found = await warehouse.getSubject({ ...subject, ...(customerId && { customerId }) }, signal, urgency);
      if (found.isUnreadable) throw unreadable(subject);
      await deps.resources.put(tenant, kind, id, found.body, found.snapshot.customerId);
      return found;
    } catch (error) {
      if (missing && error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_NOT_FOUND') return 'gone';
      throw error;
    }
  };
  return plan.isOwnOptional
    ? await fetchPart(retrieval, { operation }, () => retrieval.call(operation, get))
    : await fetchOwn(retrieval, operation, get);
}

/** Asked again, the warehouse would answer in the same form. */
const unreadable = ({ kind }: SubjectRef) =>
  new DocklineError('ERR_WAREHOUSE_UNEXPECTED', `the ${words(kind)} has none of the facts that are looked for`);

async function fetchCustomer(retrieval: Retrieval, found: RetrievedSubject | undefined): Promise<void> {
  const id = found?.snapshot.customerId ?? retrieval.plan.customerId;
  if (id) await keepFresh(retrieval, 'getCustomer', { kind: 'customer', id, withinMs: PATIENCE_MS });
}

/** Longest time that a part which is no mere decoration waits for its turn. */
const PATIENCE_MS = 60_000;

/** More lines are fetched with one GET of the whole order. */
const ONE_BY_ONE = 4;

async function fetchOrderItems(retrieval: Retrieval, found: RetrievedSubject | undefined): Promise<void> {
  const { deps, subject, plan, signal, failedGets, call } = retrieval;
  const { orderItemIds: ids = [] } = plan;
  const { tenant, id: orderId } = subject;
  const operation = 'getOrdersItem';
  const put = (id: string, body: string) =>
    deps.resources.put(tenant, 'orderItem', orderItemKey(orderId, id), body, found?.snapshot.customerId);
  if (ids.length <= ONE_BY_ONE) {
    for (const id of ids) {
      await fetchPart(retrieval, { operation, id }, () =>
        call(operation, async (warehouse) => put(id, await warehouse.getOrderItem(orderId, id, signal))),
      );
    }
    return;
  }
  const lines = await fetchPart(retrieval, { operation }, () =>
    call(operation, (warehouse) => warehouse.getOrderItems(orderId, signal)),
  );
  if (!lines) return;
  for (const id of ids) {
    const body = lines.get(id);
    if (body) await put(id, body);
    else failedGets.push({ operation, id, message: `order ${orderId} has no line ${id}` });
  }
}

/**
 * Stores a pick list as of no customer, because orders of several may share its pick job. One asked for before the
 * newest event may not show what that reports.
 */
async function fetchPickList(retrieval: Retrieval, found: RetrievedSubject | undefined): Promise<void> {
  const { deps, subject, plan, priority, pickListSince: since } = retrieval;
  const operation = 'getOrdersPicklist';
  const id = plan.pickJobId ?? found?.snapshot.pickJobId;
  if (!id || !plan.operations.includes(operation)) return;
  const shared = { id, priority, withinMs: deps.partWaitMs, since };
  await fetchPart(retrieval, { operation, id }, () =>
    retrieval.share(operation, shared, async (warehouse, { signal, ...urgency }) =>
      deps.resources.put(subject.tenant, 'pickList', id, await warehouse.getPickList(id, signal, urgency)),
    ),
  );
}

/** Fetches the users that events name, and the subject's last modifier for the others. */
async function fetchUsers(retrieval: Retrieval, found: RetrievedSubject | undefined): Promise<void> {
  const { plan, deps } = retrieval;
  if (!plan.operations.includes('getUser')) return;
  const modifier = plan.needsModifier ? found?.lastModifiedBy : undefined;
  const ids = [...new Set([...plan.userIds, ...(modifier ? [modifier] : [])])];
  await Promise.all(ids.map((id) => keepFresh(retrieval, 'getUser', { kind: 'user', id, withinMs: deps.partWaitMs })));
}

/** Of what rarely changes. */
const MAX_AGE_MS = HOUR_MS;

/** Fetches a resource that rarely changes unless a recent copy is stored. */
async function keepFresh(
  retrieval: Retrieval,
  operation: 'getCustomer' | 'getUser',
  { kind, id, withinMs }: { readonly kind: ResourceKind; readonly id: string; readonly withinMs: number },
): Promise<void> {
  const { deps, subject } = retrieval;
  const isFresh = async () => {
    const stored = await deps.resources.find(subject.tenant, kind, id);
    return stored !== undefined && stored.ageMs < MAX_AGE_MS;
  };
  if (await isFresh()) return;
  await fetchPart(retrieval, { operation, id }, () =>
    retrieval.share(operation, { id, priority: 'later', withinMs }, async (warehouse, { signal, ...urgency }) => {
      // Another may have fetched it since.
      if (await isFresh()) return;
      await deps.resources.put(subject.tenant, kind, id, await warehouse[operation](id, signal, urgency));
    }),
  );
}

/** Failures that concern one operation; any other concerns all. */
const verdicts: { readonly [C in FailureCode]?: 'final' | 'role' | 'outage' } = {
  ERR_WAREHOUSE_NOT_FOUND: 'final',
  ERR_WAREHOUSE_REFUSED: 'final',
  ERR_WAREHOUSE_UNEXPECTED: 'final',
  ERR_WAREHOUSE_TOO_LARGE: 'final',
  ERR_WAREHOUSE_FORBIDDEN: 'role',
  ERR_WAREHOUSE_FAILED: 'outage',
  ERR_WAREHOUSE_RATE_LIMITED: 'outage',
  ERR_WAREHOUSE_UNREACHABLE: 'outage',
  ERR_WAREHOUSE_UNREADABLE: 'outage',
};

/**
 * Fetches the subject itself. After a final answer its events are announced without it (a new subject may still appear
 * within the read lag); after any other failure, only if their messages have it: at once if a role is missing, or once
 * an outage has lasted.
 * @throws RetrievalError to hold the events back
 */
async function fetchOwn<T>(
  retrieval: Retrieval,
  operation: Operation,
  get: (warehouse: Warehouse) => Promise<T>,
): Promise<T | undefined> {
  const { deps, plan, attempts, call } = retrieval;
  try {
    return await call(operation, get);
  } catch (error) {
    const { verdict, cause } = assess(error);
    const failingMs = Date.now() - Math.min(attempts.since, plan.ownRefusedSince ?? attempts.since);
    const canWait = verdict === 'outage' && failingMs < deps.outageMs;
    if (verdict !== 'final' && (canWait || !plan.isCarried)) throw error;
    if (plan.isNew && !plan.isCarried && isNotFound(cause) && failingMs < deps.readLagMs) throw notYet(error, cause);
    return leaveOut(retrieval, { operation, message: cause.message });
  }
}

/**
 * Fetches a part of announcements, which are composed without it at once, or after one more attempt if that may help.
 * A part that waited too long for its turn comes with a later announcement.
 * @throws RetrievalError for that attempt
 */
async function fetchPart<T>(
  retrieval: Retrieval,
  part: Pick<Refused, 'id'> & { readonly operation: Operation },
  get: () => Promise<T>,
): Promise<T | undefined> {
  const { subject, attempts } = retrieval;
  const { breaker } = retrieval.deps;
  const key = { tenant: subject.tenant, operation: part.operation };
  const open = breaker.reason(key);
  if (open !== undefined) return leaveOut(retrieval, { ...part, message: open });
  try {
    const got = await get();
    breaker.succeeded(key);
    return got;
  } catch (error) {
    if (isBusy(error)) return leaveOut(retrieval, { ...part, message: error.message });
    const { verdict, cause } = assess(error);
    const isOpen = verdict !== 'final' && breaker.failed(key, cause);
    if (verdict === 'outage' && !isOpen && !attempts.isRetry) throw error;
    return leaveOut(retrieval, { ...part, message: cause.message });
  }
}

/** Its turn did not come. */
export const isBusy = (error: unknown): error is RetrievalError =>
  error instanceof RetrievalError && error.cause instanceof DocklineError && error.cause.code === 'ERR_WAREHOUSE_BUSY';

const isNotFound = ({ code, status }: DocklineError): boolean => code === 'ERR_WAREHOUSE_NOT_FOUND' && status !== GONE;

const GONE = 410;

function notYet(error: unknown, { message, status }: DocklineError): RetrievalError {
  const { operation, calls } = error as RetrievalError;
  const cause = new DocklineError('ERR_WAREHOUSE_NOT_YET', `${message}, which may lag`, { status });
  return new RetrievalError(operation, calls, cause);
}

function assess(error: unknown) {
  const { cause } = error as RetrievalError;
  const verdict = cause instanceof DocklineError ? verdicts[cause.code] : undefined;
  if (!verdict) throw error;
  return { verdict, cause: cause as DocklineError };
}

function leaveOut({ failedGets }: Retrieval, failedGet: Refused): undefined {
  failedGets.push(failedGet);
}
