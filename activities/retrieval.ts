import { cancellationSignal } from '@temporalio/activity';
import type { FoundIds } from '../src/domain/catalogue/enrichment.ts';
import type { Operation } from '../src/domain/catalogue/operation.ts';
import type { OwnFacts } from '../src/domain/catalogue/record-facts.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { messageOf } from '../src/domain/errors.ts';
import type { GetResult, Refused } from '../src/domain/lifecycle/gets.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import { type Priority, rankOf } from '../src/domain/priority.ts';
import type { Flight } from '../src/warehouse/client/flight.ts';
import type { Urgency, WarehouseAnswer } from '../src/warehouse/gets.ts';
import type { Warehouse } from '../src/warehouse/warehouse.ts';
import type { Batch, RetrievalPlan } from './batch.ts';
import type { ActivityDeps } from './ports/deps.ts';

export interface WarehouseCall extends GetResult {
  readonly operation: Operation;
}

/** The bodies are in the store. */
export interface Retrieved extends FoundIds {
  /** All events that were received before the GET of the subject began. */
  readonly eventIds: readonly string[];
  /** Start of the subject's GET, or else of the retrieval. */
  readonly startedAt?: number;
  readonly snapshot: Snapshot | null;
  readonly facts?: OwnFacts | undefined;
  readonly isDisputed?: true | undefined;
  /** GETs that failed and are done without. */
  readonly refused: readonly Refused[];
  readonly calls: readonly WarehouseCall[];
  /** W3C `traceparent`. */
  readonly trace?: string;
}

/** Of the same retrieval, the present one included. */
export interface Attempts {
  readonly isRetry: boolean;
  readonly since: number;
}

interface Shared {
  readonly id: string;
  readonly priority: Priority;
  readonly withinMs: number;
  /** The answer must not be older. */
  readonly since?: number | undefined;
}

interface Flown {
  readonly answers: readonly WarehouseAnswer[];
  readonly failure: { readonly error: unknown } | undefined;
}

export type Retrieval = ReturnType<typeof beginRetrieval> & {
  /** A row of a listing counts only if it is newer. */
  readonly known?: Urgency['known'];
};

export class RetrievalError extends Error {
  override readonly name = 'RetrievalError';
  readonly operation: Operation;
  readonly calls: readonly WarehouseCall[];

  constructor(operation: Operation, calls: readonly WarehouseCall[], cause: unknown) {
    super(messageOf(cause), { cause });
    this.operation = operation;
    this.calls = calls;
  }
}

export function beginRetrieval(
  deps: ActivityDeps,
  subject: SubjectRef,
  {
    plan,
    pickListSince,
    priority = 'event',
  }: Pick<Batch, 'pickListSince' | 'priority'> & { readonly plan: RetrievalPlan },
  attempts: Attempts,
) {
  const { tenant } = subject;
  const calls: WarehouseCall[] = [];
  const signal = cancellationSignal();
  const rank = rankOf(priority);

  async function noting<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const before = calls.length;
    try {
      return await work();
    } catch (error) {
      const ms = Math.round(performance.now() - startedAt);
      if (!calls.slice(before).some((call) => call.operation === operation))
        calls.push({ operation, status: null, ms });
      throw new RetrievalError(operation, calls, error);
    }
  }

  /** One GET for all who ask for the same at this time, and share its failure, too. @throws RetrievalError */
  const share = (
    operation: Operation,
    { id, priority, ...asked }: Shared,
    work: (warehouse: Warehouse, flight: Flight<Flown>) => Promise<void>,
  ): Promise<void> =>
    noting(operation, async () => {
      const own = rankOf(priority);
      const { value, others } = await deps.flights.join<Flown>(
        `${operation} ${tenant} ${id}`,
        { signal, rank: () => own, ...asked, isKept: ({ failure }) => failure === undefined },
        async (flight) => {
          const answers: WarehouseAnswer[] = [];
          const warehouse = deps.warehouseOf(tenant, (answer) => answers.push(answer));
          const failure = await work(warehouse, flight).then(
            () => undefined,
            (error: unknown) => ({ error }),
          );
          return { answers, failure };
        },
      );
      for (const { status, ms } of value.answers) calls.push({ operation, status, ms, ...(others > 0 && { others }) });
      if (value.failure) throw value.failure.error;
    });

  return {
    deps,
    subject,
    plan,
    /** Time of receipt of the newest event that asks for the pick list. */
    pickListSince,
    priority,
    attempts,
    calls,
    failedGets: [] as Refused[],
    signal,
    rank: () => rank,
    /** @throws RetrievalError */
    call: <T>(operation: Operation, get: (warehouse: Warehouse) => Promise<T>): Promise<T> =>
      noting(operation, () =>
        get(deps.warehouseOf(tenant, ({ startedAt: _, ...answer }) => calls.push({ operation, ...answer }))),
      ),
    share,
  };
}
