import { cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue.ts';
import { DocklineError, failures } from '../src/domain/errors.ts';
import type { Snapshot } from '../src/domain/snapshot.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/subject.ts';
import type { ActivityDeps, ResourceKind, RetrievedSubject } from './ports.ts';

/** What a batch of events asks for: each operation once. */
export interface RetrieveInput {
  readonly subject: SubjectRef;
  readonly plan: readonly Operation[];
  /** The users that the events name; where one names none, the subject's last modifier stands in. */
  readonly userIds: readonly string[];
  readonly pickJobId?: string;
}

/** What was found; the bodies are in the store. */
export interface Retrieved {
  readonly snapshot: Snapshot | null;
  readonly pickJobId?: string;
  readonly modifiedBy?: string;
  /** What the warehouse refused for good, as `operation: message`. */
  readonly refused: readonly string[];
}

/**
 * GETs what a batch of events asks for and stores the bodies. What is refused for good is reported, so that it marks the
 * subject but never fails it; anything else fails the attempt, and Temporal tries again.
 */
export async function retrieve(deps: ActivityDeps, input: RetrieveInput): Promise<Retrieved> {
  const { tenant, kind } = input.subject;
  const signal = cancellationSignal();
  const refused: string[] = [];
  const wanted = new Set(input.plan);
  const attempt = async <T>(operation: Operation, get: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await get();
    } catch (error) {
      if (!isFinal(error)) throw error;
      refused.push(`${operation}: ${error.message}`);
      return undefined;
    }
  };

  const isNeeded = wanted.has(retrievalOf[kind]) || (wanted.has('getOrdersPicklist') && !input.pickJobId);
  const found = isNeeded ? await attempt(retrievalOf[kind], () => getSubject(deps, input.subject, signal)) : undefined;
  await getCustomer(deps, tenant, found, signal);

  const pickJobId = input.pickJobId ?? found?.snapshot.pickJobId;
  if (wanted.has('getOrdersPicklist') && pickJobId) {
    await attempt('getOrdersPicklist', async () =>
      deps.resources.put(tenant, 'pickList', pickJobId, await deps.warehouse.getPickList(pickJobId, signal)),
    );
  }
  if (wanted.has('getUser')) {
    const users = new Set([...input.userIds, ...(found?.lastModifiedBy ? [found.lastModifiedBy] : [])]);
    for (const id of users) {
      await attempt('getUser', () =>
        keepFresh(deps, { tenant, kind: 'user', id }, () => deps.warehouse.getUser(id, signal)),
      );
    }
  }
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

async function getSubject(deps: ActivityDeps, subject: SubjectRef, signal: AbortSignal): Promise<RetrievedSubject> {
  const retrieved = await deps.warehouse.getSubject(subject, signal);
  await deps.resources.put(subject.tenant, subject.kind, subject.id, retrieved.body);
  return retrieved;
}

/** A customer enriches an announcement; whatever keeps it from being fetched is no reason to hold that back. */
async function getCustomer(
  deps: ActivityDeps,
  tenant: string,
  found: RetrievedSubject | undefined,
  signal: AbortSignal,
): Promise<void> {
  const id = found?.snapshot.customerId;
  if (!id) return;
  try {
    await keepFresh(deps, { tenant, kind: 'customer', id }, () => deps.warehouse.getCustomer(id, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DocklineError) || error.code === 'ERR_STORE_UNAVAILABLE') throw error;
  }
}

/** Fetches what changes rarely only where what is stored of it is too old. */
async function keepFresh(
  deps: ActivityDeps,
  { tenant, kind, id }: { readonly tenant: string; readonly kind: ResourceKind; readonly id: string },
  fetchBody: () => Promise<string>,
): Promise<void> {
  const known = await deps.resources.find(tenant, kind, id);
  if (known && known.ageMs < deps.directoryMaxAgeMs) return;
  await deps.resources.put(tenant, kind, id, await fetchBody());
}
