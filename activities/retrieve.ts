import { cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue.ts';
import { DocklineError, failures } from '../src/domain/errors.ts';
import type { OrderRef } from '../src/domain/order-id.ts';
import type { Snapshot } from '../src/domain/snapshot.ts';
import type { ActivityDeps, RetrievedOrder } from './ports.ts';

/** What a batch of events asks for: each operation once. */
export interface RetrieveInput {
  readonly order: OrderRef;
  readonly plan: readonly Operation[];
  /** The users that the events name; where one names none, the order's last modifier stands in. */
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
 * order but never fails it; anything else fails the attempt, and Temporal tries again.
 */
export async function retrieve(deps: ActivityDeps, input: RetrieveInput): Promise<Retrieved> {
  const signal = cancellationSignal();
  const refused: string[] = [];
  const wanted = new Set(input.plan);
  const attempt = async <T>(operation: Operation, get: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await get();
    } catch (error) {
      if (!(error instanceof DocklineError) || failures[error.code] !== 'never') throw error;
      refused.push(`${operation}: ${error.message}`);
      return undefined;
    }
  };

  const needsOrder = wanted.has('getOrder') || (wanted.has('getOrdersPicklist') && !input.pickJobId);
  const order = needsOrder ? await attempt('getOrder', () => getOrder(deps, input.order, signal)) : undefined;

  const pickJobId = input.pickJobId ?? order?.snapshot.pickJobId;
  if (wanted.has('getOrdersPicklist') && pickJobId) {
    await attempt('getOrdersPicklist', () => getPickList(deps, input.order.tenant, pickJobId, signal));
  }
  if (wanted.has('getUser')) {
    const users = new Set([...input.userIds, ...(order?.lastModifiedBy ? [order.lastModifiedBy] : [])]);
    for (const userId of users) await attempt('getUser', () => getUser(deps, input.order.tenant, userId, signal));
  }
  return {
    snapshot: order?.snapshot ?? null,
    refused,
    ...(pickJobId && { pickJobId }),
    ...(order?.lastModifiedBy && { modifiedBy: order.lastModifiedBy }),
  };
}

async function getOrder(deps: ActivityDeps, order: OrderRef, signal: AbortSignal): Promise<RetrievedOrder> {
  const retrieved = await deps.warehouse.getOrder(order.orderId, signal);
  await deps.resources.put(order.tenant, 'order', order.orderId, retrieved.body);
  return retrieved;
}

async function getPickList(deps: ActivityDeps, tenant: string, pickJobId: string, signal: AbortSignal): Promise<void> {
  const body = await deps.warehouse.getPickList(pickJobId, signal);
  await deps.resources.put(tenant, 'pickList', pickJobId, body);
}

async function getUser(deps: ActivityDeps, tenant: string, userId: string, signal: AbortSignal): Promise<void> {
  const known = await deps.resources.find(tenant, 'user', userId);
  if (known && known.ageMs < deps.userMaxAgeMs) return;
  const body = await deps.warehouse.getUser(userId, signal);
  await deps.resources.put(tenant, 'user', userId, body);
}
