import { cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, failures, messageOf } from '../src/domain/errors.ts';
import type { RetrievalPlan } from './batch.ts';
import type { ActivityDeps } from './ports/deps.ts';
import type { Warehouse } from './ports/retrieval.ts';

/** Answer of the warehouse: the HTTP status, null if there was none, and the duration in milliseconds. */
export interface WarehouseCall {
  readonly operation: Operation;
  readonly status: number | null;
  readonly ms: number;
}

/** Retrieval in progress. */
export interface Retrieval {
  readonly deps: ActivityDeps;
  readonly warehouse: Warehouse;
  readonly subject: SubjectRef;
  readonly plan: RetrievalPlan;
  readonly signal: AbortSignal;
  /** GETs that the warehouse refused for good so far. */
  readonly refused: string[];
  /** Calls an operation. @throws RetrievalError */
  call<T>(operation: Operation, get: () => Promise<T>): Promise<T>;
  /** Calls an operation. Records a final refusal and returns undefined for it. @throws RetrievalError */
  attempt<T>(operation: Operation, get: () => Promise<T>): Promise<T | undefined>;
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

/** Begins a retrieval, which adds its calls and refusals to the given lists. */
export function beginRetrieval(
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

function isFinal(error: unknown): error is DocklineError {
  return error instanceof DocklineError && failures[error.code] === 'never';
}

/** Describes a failed retrieval. */
export function describeFailure(error: unknown): {
  readonly cause: unknown;
  readonly operation: Operation | 'retrieve';
  readonly calls: readonly WarehouseCall[];
} {
  return error instanceof RetrievalError ? error : { cause: error, operation: 'retrieve', calls: [] };
}
