import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { inSpan, subjectAttributes } from '../src/domain/tracing.ts';
import type { Known } from '../src/warehouse/gets.ts';
import { type Batch, joinLate } from './batch.ts';
import { fetchOwnRecord, fetchParts } from './fetch.ts';
import type { RetrievalPlan } from './plan.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type Attempts, beginRetrieval, type Retrieved } from './retrieval.ts';

/** Fetches everything that a batch asks for and stores the bodies. Names what can be done without. @throws RetrievalError */
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

/** Undefined if nothing proves it, as where a known record is no longer stored. */
async function knownOf(
  { resources }: Pick<ActivityDeps, 'resources'>,
  { tenant, kind, id }: SubjectRef,
  { newest, plan }: Batch,
): Promise<Known | undefined> {
  if (!newest) return undefined;
  const stored = await resources.find(tenant, kind, id);
  return stored || plan?.isNew ? { stored: stored?.body, newest } : undefined;
}

/** Hardly any event comes within it: none is looked for. */
const SOON_MS = 20;

async function retrievePlan(
  deps: ActivityDeps,
  subject: SubjectRef,
  batch: Batch & { readonly plan: RetrievalPlan },
  attempts: Attempts,
): Promise<Retrieved> {
  const readAt = Date.now();
  let startedAt = readAt;
  let late: { readonly at: number; readonly batch: Batch } | undefined;
  const join = async (at: number) => {
    late = { at, batch: await joinLate(deps, subject, batch, at) };
    return late.batch;
  };
  const known = async (at: number) => await knownOf(deps, subject, await join(at));
  const retrieval = { ...beginRetrieval(deps, subject, batch, attempts), ...(batch.newest && { known }) };
  const { calls, failedGets: refused } = retrieval;
  const found = await fetchOwnRecord(retrieval, (at) => {
    startedAt = at;
  });
  if (found === 'gone') {
    return { eventIds: batch.eventIds, startedAt, calls, snapshot: { status: 'gone' }, refused };
  }
  const hasWaited = found !== undefined && startedAt - readAt > SOON_MS;
  const joined = late?.at === startedAt ? late.batch : hasWaited ? await join(startedAt) : batch;
  const { eventIds, plan = batch.plan, pickListSince } = joined;
  await fetchParts({ ...retrieval, plan, pickListSince }, found);
  const pickJobId = plan.pickJobId ?? found?.snapshot.pickJobId;
  return {
    eventIds,
    startedAt,
    calls,
    snapshot: found?.snapshot ?? null,
    facts: found?.facts,
    refused,
    ...(found?.disputed && { isDisputed: true as const }),
    ...(pickJobId && { pickJobId }),
    ...(found?.lastModifiedBy && { modifiedBy: found.lastModifiedBy }),
  };
}
