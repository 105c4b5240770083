import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { inSpan, subjectAttributes } from '../src/domain/tracing.ts';
import { type Batch, joinLate } from './batch.ts';
import { fetchOwnRecord, fetchParts } from './fetch.ts';
import type { RetrievalPlan } from './plan.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type Attempts, beginRetrieval, type Retrieved } from './retrieval.ts';

/**
 * Fetches everything that a batch asks for and stores the bodies. The result names what can be done without; any other failure fails
 * the retrieval. @throws RetrievalError
 */
export async function retrieveBatch(
  deps: ActivityDeps,
  subject: SubjectRef,
  batch: Batch,
  attempts: Attempts,
): Promise<Retrieved> {
  const { plan, traces, eventIds } = batch;
  if (!plan) return { eventIds, startedAt: Date.now(), snapshot: null, refused: [], calls: [] };
  const describe = () => ({ traces, attributes: subjectAttributes(subject) });
  return await inSpan(deps, `retrieve ${subject.kind}`, describe, async () => {
    const trace = deps.tracing?.current();
    return { ...(await retrievePlan(deps, subject, { ...batch, plan }, attempts)), ...(trace && { trace }) };
  });
}

/** Time within which hardly any event comes, in milliseconds: none is looked for. */
const SOON_MS = 20;

async function retrievePlan(
  deps: ActivityDeps,
  subject: SubjectRef,
  batch: Batch & { readonly plan: RetrievalPlan },
  attempts: Attempts,
): Promise<Retrieved> {
  const readAt = Date.now();
  let startedAt = readAt;
  const retrieval = beginRetrieval(deps, subject, batch, attempts);
  const { calls, failedGets: refused } = retrieval;
  const found = await fetchOwnRecord(retrieval, (at) => {
    startedAt = at;
  });
  if (found === 'gone') {
    return { eventIds: batch.eventIds, startedAt, calls, snapshot: { status: 'gone' }, refused };
  }
  const hasWaited = found !== undefined && startedAt - readAt > SOON_MS;
  const {
    eventIds,
    plan = batch.plan,
    pickListSince,
  } = hasWaited ? await joinLate(deps, subject, batch, startedAt) : batch;
  await fetchParts({ ...retrieval, plan, pickListSince }, found);
  const pickJobId = plan.pickJobId ?? found?.snapshot.pickJobId;
  return {
    eventIds,
    startedAt,
    calls,
    snapshot: found?.snapshot ?? null,
    facts: found?.facts,
    refused,
    ...(pickJobId && { pickJobId }),
    ...(found?.lastModifiedBy && { modifiedBy: found.lastModifiedBy }),
  };
}
