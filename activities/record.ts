import { isWatched } from '../src/domain/catalogue/announced.ts';
import { completeFacts, type RecordFacts } from '../src/domain/catalogue/record-facts.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import { isStoreFailure } from '../src/domain/errors.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import { clearMarks, endFetched, restoreMarks } from '../src/domain/lifecycle/clearing.ts';
import { contradicts, customerAfter, customersOfEvents, nameCustomers } from '../src/domain/lifecycle/customers.ts';
import { nextLatenessAt, observeLateness } from '../src/domain/lifecycle/lateness.ts';
import { leadTimesOf } from '../src/domain/lifecycle/lead-times.ts';
import { type Observed, unknownLifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import { observeBatch, observeClock, release as releaseStalled, undoRelease } from '../src/domain/lifecycle/observe.ts';
import { askAgainAt, CUSTOMERS, mergeRefusals } from '../src/domain/lifecycle/refusal.ts';
import { isOver, isStalled, type Stage, stageOf } from '../src/domain/lifecycle/stage.ts';
import { isBeyond } from '../src/domain/lifecycle/stage-limits.ts';
import { type Standing, standingOf } from '../src/domain/lifecycle/standing.ts';
import {
  describeCustomer,
  describeRelease,
  describeRetrieval,
  describeUndo,
} from '../src/domain/lifecycle/timeline.ts';
import type { Lease, LeasedAnnouncement, OutgoingIds } from '../src/domain/outgoing.ts';
import { cut } from '../src/domain/text.ts';
import { inSpan, subjectAttributes } from '../src/domain/tracing.ts';
import type { Decision } from '../src/store/decision.ts';
import type { Recording } from '../src/store/tables/subjects.ts';
import { readEvents } from './batch.ts';
import { composeAll } from './compose.ts';
import { computeDeadline } from './deadline.ts';
import type { ActivityDeps } from './ports/deps.ts';
import type { Retrieved } from './retrieval.ts';
import { behind, idsOf, routeLate } from './routing.ts';

/** Request to record a subject. */
export interface RecordInput {
  readonly subject: SubjectRef;
  /** Revision that the workflow knows; null for a run that has not read the store. */
  readonly known: number | null;
  readonly eventIds: readonly string[];
  /** Absent if nothing was to be fetched. */
  readonly retrieved?: Retrieved | undefined;
  /** Traces of the events, unless they were retrieved. */
  readonly traces?: readonly string[] | undefined;
  /** Stage whose limit has passed: a subject that is still in it has stalled. */
  readonly overdue?: { readonly stage: Stage; readonly since: number };
  /** Ends the reasons for attention, on an operator's request. */
  readonly release?: boolean;
  /** Brings the reasons for attention back that a release has ended, likewise. */
  readonly undoRelease?: boolean;
  /** Name of that operator, or of the way by which the request came. */
  readonly releasedBy?: string;
}

/** State of the subject after recording. */
export interface Recorded {
  readonly standing: Standing;
  /** Lines of the timeline since the known revision, oldest first. */
  readonly lines: readonly string[];
  /** Ids of announcements to send, in order. */
  readonly announce: OutgoingIds;
  /** Names of events that wait by now. */
  readonly waiting: readonly string[];
}

/** State of the subject, with those of the new announcements that this process has leased. */
type Recordings = Recorded & { readonly leased: readonly LeasedAnnouncement[] };

/** Returns the length of the lease of what goes to a destination, in milliseconds; undefined for none. */
type LeaseMsOf = NonNullable<Decision['leaseMsOf']>;

/**
 * Observes events and writes the new state of their subject, with one announcement for each change. Idempotent: events observed before
 * change nothing. An event that cannot be recorded is quarantined, and the others are recorded.
 */
export async function record(deps: ActivityDeps, input: RecordInput): Promise<Recorded> {
  const { leased: _leased, ...recorded } = await recordFor(deps, input);
  return recorded;
}

/** Records as {@link record} does, and may lease announcements, for this process to send them inline. */
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
    await deps.inbox.quarantine(eventIds, `cannot be recorded: ${cut(String(error), REASON_LIMIT)}`);
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
  const { decision, leases, waiting, receivedAt } = await deps.subjects.record(subject, eventIds, (recording) =>
    decide({ ...deps, compose }, input, recording, leaseMsOf),
  );
  for (const at of receivedAt) deps.observer?.recorded(at);
  const { saved, before, announcements } = decision;
  const closed = leadTimesOf(subject.kind, saved.lifecycle);
  if (closed && !(before && leadTimesOf(subject.kind, before.lifecycle))) deps.observer?.closed(subject, closed);
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
      ? behind(decision.earlier, idsOf([...(decision.late ?? []), ...announcements], decision.paused))
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

/** Reads the state of a subject that has no event to record. What the clock has brought by now is recorded. */
export async function look(
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

const unknownSubject = (now: number): SavedSubject => ({
  lifecycle: unknownLifecycle,
  stageSince: now,
  refused: [],
  isUnannounced: false,
});

/** Decision with what it was based on. */
interface Decided extends Decision, Pick<Recording, 'earlier'> {
  readonly before: SavedSubject | undefined;
  /** Names of destinations that get nothing for now. */
  readonly paused: readonly string[];
}

async function decide(
  deps: ActivityDeps,
  input: RecordInput,
  recording: Recording,
  leaseMsOf: LeaseMsOf | undefined,
): Promise<Decided> {
  const { subject } = input;
  const retrieved = isOutdated(input, recording) ? undefined : input.retrieved;
  const now = Date.now();
  const before = recording.saved;
  const known = before ?? unknownSubject(now);
  const moved = observeInput(known, { ...input, retrieved }, recording, { now, lagMs: deps.readLagMs });
  const customerId = customerAfter(moved, known.customerId);
  const { deadline, deadlineRules } = await computeDeadline(
    { deadlines: deps.deadlines, resources: recording.resources },
    { subject, lifecycle: moved.lifecycle, customerId, before: known },
  );
  const late = observeLateness(subject.kind, { lifecycle: moved.lifecycle, deadline }, now);
  const changes = nameCustomers([...moved.changes, ...late.changes], { before: known.customerId, after: customerId });
  const observed = { ...moved, lifecycle: late.lifecycle, changes };
  const { lifecycle } = observed;
  const paused = recording.destinations.flatMap(({ id, isPaused }) => (isPaused ? [id] : []));
  const hasMoved = stageOf(lifecycle) !== stageOf(known.lifecycle);
  const { announcements, contradicted } = await composeAll(
    deps,
    subject,
    { ...observed, deadline },
    recording,
    retrieved,
  );
  const marks = await decideMarks(known, { ...input, retrieved, contradicted }, recording, now);
  const isFetched = retrieved?.calls.some(({ operation }) => operation === retrievalOf[subject.kind]) ?? false;
  return {
    before,
    saved: {
      lifecycle,
      stageSince: hasMoved ? now : known.stageSince,
      ...marks,
      ...(customerId !== undefined && { customerId }),
      facts: completeFacts(retrieved?.facts ?? knownFacts(known, customerId), lifecycle.snapshot ?? {}),
      deadline,
      deadlineRules,
      lateAt: nextLatenessAt(subject.kind, { lifecycle, deadline }, now),
      lookAgainAt: nextLook(known, isFetched, [
        observed.lookAgainAt,
        isOver(subject.kind, lifecycle) ? undefined : askAgainAt(marks.refused, now, deps.retry.slowMs),
      ]),
    },
    announcements,
    customersOfEvents: customersOfEvents(readEvents(recording.events).events, observed.changes, customerId),
    late: await routeLate(deps, subject, { known, customerId }, recording),
    leaseMsOf,
    paused,
    earlier: recording.earlier,
    retrieved: retrieved !== undefined || recording.events.length > 0,
  };
}

/** Returns the known facts of a subject, unless they are those of another customer. */
const knownFacts = (known: SavedSubject, customerId: string | undefined): RecordFacts =>
  (contradicts(known.customerId, customerId) ? undefined : known.facts) ?? {};

/** Decides the marks of a subject that its lifecycle does not have. */
async function decideMarks(
  known: SavedSubject,
  { release, undoRelease, retrieved, contradicted }: RecordInput & { readonly contradicted: string | undefined },
  recording: Recording,
  now: number,
): Promise<Pick<SavedSubject, 'refused' | 'isUnannounced' | 'cleared'>> {
  if (release) return clearMarks(known);
  if (undoRelease) return restoreMarks(known, await recording.hasDeadLetters());
  const { isUnannounced, cleared } = known;
  const { calls = [], refused: failed = [] } = retrieved ?? {};
  const doubts = contradicted === undefined ? [] : [{ operation: CUSTOMERS, message: doubtOf(contradicted) } as const];
  const refused = mergeRefusals(known.refused, { calls, refused: [...failed, ...doubts] }, now);
  return { refused, isUnannounced, cleared: endFetched(cleared, retrieved?.calls) };
}

const doubtOf = (source: string): string =>
  `message and records name different customers (${source}), so that it was announced without its record`;

/**
 * Reports whether all events of the retrieval were recorded before, as after a reset or after the Temporal server was restored from a
 * backup: the saved state may then be newer than the retrieval.
 */
const isOutdated = ({ eventIds }: RecordInput, { events }: Recording): boolean =>
  eventIds.length > 0 && events.length === 0;

/**
 * Returns when the record is to be fetched again: at the earliest of the times for which there is a reason. A retrieval of the record
 * replaces the time that was known.
 */
function nextLook(
  { lookAgainAt }: SavedSubject,
  isFetched: boolean,
  reasons: readonly (number | undefined)[],
): number | undefined {
  const times = [isFetched ? undefined : lookAgainAt, ...reasons].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}

function observeInput(
  { lifecycle, stageSince }: SavedSubject,
  { subject: { kind }, known, retrieved, overdue, release, undoRelease: undo }: RecordInput,
  recording: Recording,
  { now, lagMs }: { readonly now: number; readonly lagMs: number },
): Observed {
  const unchanged = { lifecycle, changes: [] };
  if (overdue) {
    const isSame = stageSince === overdue.since || lifecycle.revision === known;
    const isStill = isWatched(kind) && isSame && stageOf(lifecycle) === overdue.stage;
    return isStill && !isStalled(lifecycle) ? observeClock(lifecycle, { milestone: 'stalled', time: now }) : unchanged;
  }
  if (release) return { lifecycle: releaseStalled(lifecycle), changes: [] };
  if (undo) return { lifecycle: undoRelease(lifecycle), changes: [] };
  const { events } = readEvents(recording.events);
  const { snapshot = null, startedAt: readAt } = retrieved ?? {};
  return observeBatch(lifecycle, { kind, events, snapshot, now, readAt, lagMs });
}
