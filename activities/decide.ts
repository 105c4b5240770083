import { customersNamedBy } from '../src/domain/catalogue/record-customer.ts';
import { completeFacts, type RecordFacts } from '../src/domain/catalogue/record-facts.ts';
import { isWatched, retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Decision, Routed } from '../src/domain/decision.ts';
import {
  clearMarks,
  endFetched,
  nextLatenessAt,
  observeLateness,
  restoreMarks,
  type SavedSubject,
} from '../src/domain/lifecycle/attention.ts';
import { contradicts, customerAfter, customersOfEvents, nameCustomers } from '../src/domain/lifecycle/customers.ts';
import { askAgainAt, CUSTOMERS, mergeRefusals, type Retrieval } from '../src/domain/lifecycle/gets.ts';
import { type Observed, unknownLifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import { milestoneIn } from '../src/domain/lifecycle/milestone.ts';
import { observeBatch, observeClock, release as releaseStalled, undoRelease } from '../src/domain/lifecycle/observe.ts';
import { isOver, isStalled, type Stage, stageOf } from '../src/domain/lifecycle/stage.ts';
import { byDestination, type OutgoingIds } from '../src/domain/outgoing.ts';
import { route } from '../src/domain/routing.ts';
import type { Recording } from '../src/subjects/tables/subjects.ts';
import { readEvents } from './batch.ts';
import { composeAll } from './compose.ts';
import type { ActivityDeps } from './ports/deps.ts';
import type { Retrieved } from './retrieval.ts';

export const idsOf = (routed: readonly Routed<{ readonly id: string }>[], paused: readonly string[]): OutgoingIds =>
  byDestination(
    routed.flatMap(({ id, destinations }) =>
      destinations.filter((name) => !paused.includes(name)).map((destination) => ({ id, destination })),
    ),
  );

export const behind = (earlier: OutgoingIds, ids: OutgoingIds): OutgoingIds =>
  Object.fromEntries(
    Object.entries(ids).map(([destination, later]) => [destination, [...(earlier[destination] ?? []), ...later]]),
  );

/**
 * Returns the earlier announcements of a subject whose customer has just become known. A record of another customer is
 * taken out of them.
 */
async function routeOnceKnown(
  { announcedRecord }: ActivityDeps,
  subject: SubjectRef,
  { known, customerId }: { readonly known: SavedSubject; readonly customerId: string | undefined },
  recording: Recording,
): Promise<Decision['routedNow']> {
  if (known.lifecycle.revision === 0 || known.customerId !== undefined || customerId === undefined) return undefined;
  return (await recording.unrouted()).map(({ body, ...announcement }) => {
    const record = announcedRecord.of({ body });
    const isOfAnother =
      record !== undefined && customersNamedBy(record).some((named) => contradicts(named, customerId));
    const milestone = milestoneIn(announcement.id);
    const change = { kind: subject.kind, milestone };
    const before = route(recording.destinations, { ...change, customerId: null });
    const destinations = route(recording.destinations, { ...change, customerId }).filter(
      (name) => !before.includes(name),
    );
    return { ...announcement, destinations, ...(isOfAnother && { body: announcedRecord.removed({ body }) }) };
  });
}

interface Decided extends Decision, Pick<Recording, 'earlier'> {
  readonly before: SavedSubject | undefined;
  readonly paused: readonly string[];
}

export async function decide(deps: ActivityDeps, input: RecordInput, recording: Recording): Promise<Decided> {
  const { subject } = input;
  const retrieved = isOutdated(input, recording) ? undefined : input.retrieved;
  const now = Date.now();
  const before = recording.saved;
  const known = before ?? unknownSubject(now);
  const moved = observeInput(known, { ...input, retrieved }, recording, { now, lagMs: deps.readLagMs });
  const customerId = customerAfter(moved, known.customerId);
  const { deadline, deadlineRules } = await deps.deadlines.compute(
    { subject, lifecycle: moved.lifecycle, customerId, before: known },
    recording.resources,
    now,
  );
  const lateness = observeLateness(subject.kind, { lifecycle: moved.lifecycle, deadline }, now);
  const changes = nameCustomers([...moved.changes, ...lateness.changes], {
    before: known.customerId,
    after: customerId,
  });
  const observed = { ...moved, lifecycle: lateness.lifecycle, changes };
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
      lookAgainAt: nextRecheckAt(known, isFetched, [
        observed.lookAgainAt,
        isOver(subject.kind, lifecycle) ? undefined : askAgainAt(marks.refused, now, deps.retry.slowMs),
      ]),
    },
    announcements,
    customersOfEvents: customersOfEvents(readEvents(recording.events).events, observed.changes, customerId),
    routedNow: await routeOnceKnown(deps, subject, { known, customerId }, recording),
    paused,
    earlier: recording.earlier,
    retrieval: input.retrieved && retrievalIn(input.retrieved, now),
    retrieved: retrieved !== undefined || recording.events.length > 0,
  };
}

const retrievalIn = ({ calls, refused }: Retrieved, at: number): Retrieval | undefined =>
  calls.length + refused.length === 0 ? undefined : { at, gets: calls, ...(refused.length > 0 && { refused }) };

/** None if they are of another customer. */
const knownFacts = (known: SavedSubject, customerId: string | undefined): RecordFacts =>
  (contradicts(known.customerId, customerId) ? undefined : known.facts) ?? {};

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
 * Reports whether all events were recorded before, as after Temporal was restored from a backup: the saved state may be
 * newer than the retrieval.
 */
const isOutdated = ({ eventIds }: RecordInput, { events }: Recording): boolean =>
  eventIds.length > 0 && events.length === 0;

/** Returns the earliest time for which there is a reason. A retrieval of the record replaces the known time. */
function nextRecheckAt(
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
  const { snapshot = null, startedAt: readAt, isDisputed } = retrieved ?? {};
  // What a record of nobody does not say of the subject stays as it was known.
  const shown = isDisputed ? { ...lifecycle.snapshot, ...snapshot } : snapshot;
  return observeBatch(lifecycle, { kind, events, snapshot: shown, now, readAt, lagMs });
}

export const unknownSubject = (now: number): SavedSubject => ({
  lifecycle: unknownLifecycle,
  stageSince: now,
  refused: [],
  isUnannounced: false,
});

export interface RecordInput {
  readonly subject: SubjectRef;
  /** Null in a run that has not read the store. */
  readonly known: number | null;
  readonly eventIds: readonly string[];
  readonly retrieved?: Retrieved | undefined;
  readonly traces?: readonly string[] | undefined;
  /** Stage whose limit has passed; a subject that is still in it has stalled. */
  readonly overdue?: { readonly stage: Stage; readonly since: number };
  readonly release?: boolean;
  readonly undoRelease?: boolean;
  /** The operator, or the way by which the request came. */
  readonly releasedBy?: string;
}
