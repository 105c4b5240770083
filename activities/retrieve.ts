import type { FoundIds } from '../src/domain/catalogue/enrichment.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';
import type { Batch } from './batch.ts';
import { type Found, fetches } from './operations.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { beginRetrieval, type Retrieval, type WarehouseCall } from './retrieval.ts';

/** Result of a retrieval; the bodies are in the store. */
export interface Retrieved extends FoundIds {
  /** Events for which it was made: all that waited when it began. */
  readonly eventIds: readonly string[];
  readonly snapshot: Snapshot | null;
  /** GETs that the warehouse refused for good, as `operation: message`. */
  readonly refused: readonly string[];
  readonly calls: readonly WarehouseCall[];
}

/**
 * Fetches everything that a batch asks for and stores the bodies. Operations that the warehouse refuses for good are reported in the
 * result; any other failure fails the retrieval. @throws RetrievalError
 */
export async function retrieveBatch(
  deps: ActivityDeps,
  subject: SubjectRef,
  { eventIds, plan }: Batch,
): Promise<Retrieved> {
  const calls: WarehouseCall[] = [];
  const refused: string[] = [];
  if (!plan) return { eventIds, snapshot: null, refused, calls };
  const retrieval = beginRetrieval(deps, subject, plan, { calls, refused });
  const found = await fetchAll(retrieval);
  if (found === 'gone') return { eventIds, calls, snapshot: { status: 'gone' }, refused };
  const pickJobId = plan.pickJobId ?? found?.snapshot.pickJobId;
  return {
    eventIds,
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
