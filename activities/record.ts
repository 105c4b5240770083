import { cut } from '../src/base/text.ts';
import type { Decision } from '../src/domain/decision.ts';
import { isStoreFailure } from '../src/domain/errors.ts';
import { isBeyond, stageOf } from '../src/domain/lifecycle/stage.ts';
import { type Standing, standingOf } from '../src/domain/lifecycle/standing.ts';
import {
  describeCustomer,
  describeRelease,
  describeRetrieval,
  describeUndo,
} from '../src/domain/lifecycle/timeline.ts';
import type { Lease, LeasedAnnouncement, OutgoingIds } from '../src/domain/outgoing.ts';
import { inSpan, subjectAttributes } from '../src/domain/tracing.ts';
import { behind, decide, idsOf, type RecordInput, unknownSubject } from './decide.ts';
import type { ActivityDeps } from './ports/deps.ts';

export interface Recorded {
  readonly standing: Standing;
  readonly lines: readonly string[];
  readonly announce: OutgoingIds;
  readonly waiting: readonly string[];
}

type Recordings = Recorded & { readonly leased: readonly LeasedAnnouncement[] };

type LeaseMsOf = Decision['leaseMsOf'];

/**
 * Writes the subject's new state, with one announcement for each change. Idempotent. An event that cannot be recorded
 * is quarantined, and the others are recorded.
 */
export async function record(deps: ActivityDeps, input: RecordInput): Promise<Recorded> {
  const { leased: _leased, ...recorded } = await recordFor(deps, input);
  return recorded;
}

/** Like {@link record}; may also lease announcements, for this process to send inline. */
export async function recordFor(deps: ActivityDeps, input: RecordInput, leaseMsOf?: LeaseMsOf): Promise<Recordings> {
  const { subject, retrieved, traces } = input;
  const describe = () => ({
    traces: retrieved?.trace ? [retrieved.trace] : traces,
    attributes: subjectAttributes(subject),
  });
  return await inSpan(deps, `record ${subject.kind}`, describe, async () => {
    try {
      return await recordAll(deps, input, leaseMsOf);
    } catch (error) {
      if (isStoreFailure(error) || input.eventIds.length === 0) throw error;
      return await recordEach(deps, input, error);
    }
  });
}

/** Finds the event that keeps its batch from being recorded. */
async function recordEach(deps: ActivityDeps, input: RecordInput, error: unknown): Promise<Recordings> {
  const { eventIds } = input;
  if (eventIds.length === 1) {
    // Fails if the subject itself cannot be recorded: then no event is to blame.
    await recordAll(deps, { ...input, eventIds: [] });
    await deps.inbox.quarantine(eventIds, {
      code: 'unrecordable',
      message: cut(String(error), REASON_LIMIT),
    });
  } else {
    for (const id of eventIds) await recordFor(deps, { ...input, eventIds: [id] });
  }
  return await recordAll(deps, { ...input, eventIds: [] });
}

const REASON_LIMIT = 300;

async function recordAll(deps: ActivityDeps, input: RecordInput, leaseMsOf?: LeaseMsOf): Promise<Recordings> {
  const { subject, known, eventIds, retrieved } = input;
  // Read before the transaction, which may run in the turn of another.
  const trace = deps.tracing?.current();
  const compose: ActivityDeps['compose'] = (announced) => deps.compose({ ...announced, trace });
  const { decision, leases, waiting, receivedAt } = await deps.subjects.record(subject, eventIds, async (recording) => {
    const decided = await decide({ ...deps, compose }, input, recording);
    return { ...decided, leaseMsOf };
  });
  for (const at of receivedAt) deps.observer?.recorded(at);
  const { saved, before, announcements } = decision;
  const isKnown = before === undefined || before.lifecycle.revision === known;
  const changes = isKnown
    ? announcements.map(({ summary }) => summary)
    : await deps.subjects.since(subject, known ?? 0);
  return {
    standing: standingOf(subject.kind, saved),
    lines: [
      ...(retrieved ? [describeRetrieval(Date.now(), retrieved)] : []),
      ...(input.release ? [describeRelease(Date.now(), input.releasedBy ?? 'an operator')] : []),
      ...(input.undoRelease ? [describeUndo(Date.now(), input.releasedBy ?? 'an operator')] : []),
      ...describeCustomer(Date.now(), before?.customerId, saved.customerId),
      ...changes,
    ],
    announce: isKnown
      ? behind(decision.earlier, idsOf([...(decision.routedNow ?? []), ...announcements], decision.paused))
      : await deps.subjects.unsent(subject),
    waiting,
    leased: leases.flatMap((lease) => withBody(lease, announcements)),
  };
}

function withBody(lease: Lease, announcements: Decision['announcements']): readonly LeasedAnnouncement[] {
  const announcement = announcements.find(({ id }) => id === lease.id);
  if (!announcement) return [];
  const { body, revision, customerId } = announcement;
  return [{ ...lease, body, revision, customerId, triedSince: Date.now(), attempts: 0 }];
}

/** For a subject without events to record; records what has come due by the clock. */
export async function reloadOrStall(
  deps: ActivityDeps,
  { subject, known }: Pick<RecordInput, 'subject' | 'known'>,
): Promise<Recorded> {
  const { subjects } = deps;
  const now = Date.now();
  const { saved = unknownSubject(now) } = await subjects.load(subject, 0);
  if (isBeyond(deps.stageLimits ?? {}, subject.kind, saved, now)) {
    const overdue = { stage: stageOf(saved.lifecycle), since: saved.stageSince };
    return await record(deps, { subject, known, eventIds: [], overdue });
  }
  const { revision } = saved.lifecycle;
  return {
    standing: standingOf(subject.kind, saved),
    lines: revision === (known ?? 0) ? [] : await subjects.since(subject, known ?? 0),
    announce: await subjects.unsent(subject),
    waiting: [],
  };
}
