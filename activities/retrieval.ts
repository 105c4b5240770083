import { cancellationSignal } from '@temporalio/activity';
import type { FoundIds } from '../src/domain/catalogue/enrichment.ts';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import type { OwnFacts } from '../src/domain/catalogue/record-facts.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { messageOf } from '../src/domain/errors.ts';
import type { Refused } from '../src/domain/lifecycle/refusal.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import type { RetrievalPlan } from './plan.ts';
import type { ActivityDeps } from './ports/deps.ts';
import type { Warehouse } from './ports/retrieval.ts';

/** Answer of the warehouse: the HTTP status, null if there was none, and the duration in milliseconds. */
export interface WarehouseCall {
  readonly operation: Operation;
  readonly status: number | null;
  readonly ms: number;
}

/** Result of a retrieval; the bodies are in the store. */
export interface Retrieved extends FoundIds {
  /** Events for which it was made: all that waited when it began. */
  readonly eventIds: readonly string[];
  /** Time at which it began, in milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly snapshot: Snapshot | null;
  readonly facts?: OwnFacts | undefined;
  /** GETs that could not be had, and are done without. */
  readonly refused: readonly Refused[];
  readonly calls: readonly WarehouseCall[];
  /** Trace of the retrieval, as a W3C `traceparent`; absent without traces. */
  readonly trace?: string;
}

/** Attempts to retrieve the same, the present one included. */
export interface Attempts {
  /** An earlier one failed. */
  readonly isRetry: boolean;
  /** Time of the first one, in milliseconds since the epoch. */
  readonly since: number;
}

/** Retrieval in progress. */
export interface Retrieval {
  readonly deps: ActivityDeps;
  readonly warehouse: Warehouse;
  readonly subject: SubjectRef;
  readonly plan: RetrievalPlan;
  readonly attempts: Attempts;
  readonly signal: AbortSignal;
  readonly calls: readonly WarehouseCall[];
  /** GETs that could not be had so far. */
  readonly failedGets: Refused[];
  /** Calls an operation. @throws RetrievalError */
  call<T>(operation: Operation, get: () => Promise<T>): Promise<T>;
}

/** Failure of a retrieval: operation, cause, and the calls so far. */
export class RetrievalError extends Error {
  override readonly name = 'RetrievalError';
  override readonly cause: unknown;
  readonly operation: Operation;
  readonly calls: readonly WarehouseCall[];

  constructor(operation: Operation, calls: readonly WarehouseCall[], cause: unknown) {
    super(messageOf(cause));
    this.operation = operation;
    this.calls = calls;
    this.cause = cause;
  }
}

/** Begins a retrieval. */
export function beginRetrieval(
  deps: ActivityDeps,
  subject: SubjectRef,
  plan: RetrievalPlan,
  attempts: Attempts,
): Retrieval {
  const calls: WarehouseCall[] = [];
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
  return { deps, warehouse, subject, plan, attempts, calls, failedGets: [], signal: cancellationSignal(), call };
}
