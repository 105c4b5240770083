import { cancellationSignal } from '@temporalio/activity';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError, failures } from '../src/domain/errors.ts';
import type { RetrievalPlan } from './batch.ts';
import type { ActivityDeps, Warehouse } from './ports.ts';

/** One answer of the warehouse: the status of HTTP, null where there was none, and how long it took, in milliseconds. */
export interface WarehouseCall {
  readonly operation: Operation;
  readonly status: number | null;
  readonly ms: number;
}

/** One run of `retrieve`. */
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

/** Begins a retrieval; calls and refusals are added to the given lists. */
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

/** What a failed retrieval tells. */
export function describeFailure(error: unknown): {
  readonly cause: unknown;
  readonly operation: Operation | 'retrieve';
  readonly calls: readonly WarehouseCall[];
} {
  return error instanceof RetrievalError ? error : { cause: error, operation: 'retrieve', calls: [] };
}
