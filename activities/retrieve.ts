import type { FoundIds } from '../src/domain/catalogue/enrichment.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Refused } from '../src/domain/lifecycle/refusal.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import { inSpan, subjectAttributes } from '../src/domain/tracing.ts';
import type { Batch } from './batch.ts';
import { type Found, fetches } from './operations.ts';
import type { RetrievalPlan } from './plan.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type Attempts, beginRetrieval, type Retrieval, type WarehouseCall } from './retrieval.ts';

/** Result of a retrieval; the bodies are in the store. */
export interface Retrieved extends FoundIds {
  /** Events for which it was made: all that waited when it began. */
  readonly eventIds: readonly string[];
  /** Time at which it began, in milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly snapshot: Snapshot | null;
  /** GETs that could not be had, and are done without. */
  readonly refused: readonly Refused[];
  readonly calls: readonly WarehouseCall[];
  /** Trace of the retrieval, as a W3C `traceparent`; absent without traces. */
  readonly trace?: string;
}

/**
 * Fetches everything that a batch asks for and stores the bodies. The result names what can be done without; any other failure fails
 * the retrieval. @throws RetrievalError
 */
export async function retrieveBatch(
  deps: ActivityDeps,
  subject: SubjectRef,
  { plan, traces, eventIds }: Batch,
  attempts: Attempts,
): Promise<Retrieved> {
  if (!plan) return { eventIds, startedAt: Date.now(), snapshot: null, refused: [], calls: [] };
  const describe = () => ({ traces, attributes: subjectAttributes(subject) });
  return await inSpan(deps, `retrieve ${subject.kind}`, describe, async () => {
    const trace = deps.tracing?.current();
    return { ...(await retrievePlan(deps, subject, { plan, eventIds }, attempts)), ...(trace && { trace }) };
  });
}

async function retrievePlan(
  deps: ActivityDeps,
  subject: SubjectRef,
  { plan, eventIds }: { readonly plan: RetrievalPlan; readonly eventIds: readonly string[] },
  attempts: Attempts,
): Promise<Retrieved> {
  const startedAt = Date.now();
  const retrieval = beginRetrieval(deps, subject, plan, attempts);
  const { calls, refused } = retrieval;
  const found = await fetchAll(retrieval);
  if (found === 'gone') return { eventIds, startedAt, calls, snapshot: { status: 'gone' }, refused };
  const pickJobId = plan.pickJobId ?? found?.snapshot.pickJobId;
  return {
    eventIds,
    startedAt,
    calls,
    snapshot: found?.snapshot ?? null,
    refused,
    ...(pickJobId && { pickJobId }),
    ...(found?.lastModifiedBy && { modifiedBy: found.lastModifiedBy }),
  };
}

async function fetchAll(retrieval: Retrieval): Promise<Found> {
  let found: Exclude<Found, 'gone'>;
  for (const fetch of Object.values(fetches)) {
    const result = (await fetch(retrieval, found)) ?? found;
    if (result === 'gone') return result;
    found = result;
  }
  return found;
}
