import { type EnrichedChange, enrich, type ResourceKind } from '../src/domain/catalogue/enrichment.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { isStoreFailure } from '../src/domain/errors.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import { observeBatch } from '../src/domain/lifecycle/batch.ts';
import { type Change, type Observed, unknownLifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import { observeClock } from '../src/domain/lifecycle/observe.ts';
import { needsAttention, type Stage, stageOf } from '../src/domain/lifecycle/stage.ts';
import { type Standing, standingOf } from '../src/domain/lifecycle/standing.ts';
import { describeChange, describeRetrieval } from '../src/domain/lifecycle/timeline.ts';
import { readEvents } from './batch.ts';
import type { ActivityDeps, Announcement, AnnouncementInput, Decision, Lease, Recording, Resources } from './ports.ts';
import type { Retrieved } from './retrieve.ts';

/** What is to be recorded of a subject. */
export interface RecordInput {
  readonly subject: SubjectRef;
  /** The revision that the workflow knows; null for a run that knows nothing yet. */
  readonly known: number | null;
  readonly eventIds: readonly string[];
  /** Absent where nothing was to be fetched. */
  readonly retrieved?: Retrieved | undefined;
  /** The limit of a stage is over: if the subject still is where it was, it has stalled. */
  readonly overdue?: { readonly stage: Stage; readonly since: number };
  /** An operator ends the marks for attention. */
  readonly release?: boolean;
}

/** Where the subject stands after that. */
export interface Recorded {
  readonly standing: Standing;
  /** The lines of the timeline since the known revision, oldest first. */
  readonly lines: readonly string[];
  /** Ids of announcements that are to be sent, in order. */
  readonly announce: readonly string[];
  /** Names of events that wait by now. */
  readonly waiting: readonly string[];
}

/** What was recorded, with the announcements themselves. */
export type Recordings = Recorded & { readonly announcements: readonly (Announcement & Lease)[] };

/**
 * Observes events that were not observed before and writes where their subject stands then, with one announcement for each change.
 * The same again changes nothing and returns the same. An event that cannot be recorded is quarantined, and the others are.
 */
export async function record(deps: ActivityDeps, input: RecordInput): Promise<Recorded> {
  const { announcements: _announcements, ...recorded } = await recordFor(deps, input, undefined);
  return recorded;
}

/** The same, with the announcements leased to this process for a time, in milliseconds, so that it can send them at once. */
export async function recordFor(
  deps: ActivityDeps,
  input: RecordInput,
  leaseMs: number | undefined,
): Promise<Recordings> {
  try {
    return await recordAll(deps, input, leaseMs);
  } catch (error) {
    if (isStoreFailure(error) || input.eventIds.length === 0) throw error;
    return await recordEach(deps, input, error);
  }
}

/** Finds the event that keeps its batch from being recorded. */
async function recordEach(deps: ActivityDeps, input: RecordInput, error: unknown): Promise<Recordings> {
  const { eventIds } = input;
  if (eventIds.length === 1) {
    // Where the subject itself cannot be recorded, no event is to blame.
    await recordAll(deps, { ...input, eventIds: [] }, undefined);
    await deps.inbox.quarantine(eventIds, `cannot be recorded: ${String(error).slice(0, REASON_LIMIT)}`);
  } else {
    for (const id of eventIds) await recordFor(deps, { ...input, eventIds: [id] }, undefined);
  }
  return await recordAll(deps, { ...input, eventIds: [] }, undefined);
}

const REASON_LIMIT = 300;

async function recordAll(deps: ActivityDeps, input: RecordInput, leaseMs: number | undefined): Promise<Recordings> {
  const { subject, known, eventIds, retrieved } = input;
  const { decision, leasedUntil, waiting } = await deps.subjects.record(subject, eventIds, (recording) =>
    decide(deps, input, recording, leaseMs),
  );
  const { saved, before, announcements } = decision;
  const isKnown = before === undefined || before.lifecycle.revision === known;
  const changes = isKnown
    ? announcements.map(({ summary }) => summary)
    : await deps.subjects.since(subject, known ?? 0);
  return {
    standing: standingOf(subject.kind, saved),
    lines: [...(retrieved ? [describeRetrieval(Date.now(), retrieved)] : []), ...changes],
    announce: isKnown ? announcements.map(({ id }) => id) : await deps.subjects.unsent(subject),
    waiting,
    announcements: announcements.map((announcement) => ({ ...announcement, leasedUntil })),
  };
}

/** Where a subject stands, with nothing to record. */
export async function look(
  { subjects }: Pick<ActivityDeps, 'subjects'>,
  { subject, known }: Pick<RecordInput, 'subject' | 'known'>,
): Promise<Recorded> {
  const { saved = unknownSubject(Date.now()) } = await subjects.load(subject, 0);
  const { revision } = saved.lifecycle;
  return {
    standing: standingOf(subject.kind, saved),
    lines: revision === (known ?? 0) ? [] : await subjects.since(subject, known ?? 0),
    announce: await subjects.unsent(subject),
    waiting: [],
  };
}

const unknownSubject = (now: number): SavedSubject => ({
  ...{ lifecycle: unknownLifecycle, stageSince: now, refused: [], isUnannounced: false },
});

async function decide(
  deps: ActivityDeps,
  input: RecordInput,
  recording: Recording,
  leaseMs: number | undefined,
): Promise<Decision & { readonly before: SavedSubject | undefined }> {
  const { subject, release = false } = input;
  const retrieved = isOutdated(input, recording) ? undefined : input.retrieved;
  const now = Date.now();
  const before = recording.saved;
  const known = before ?? unknownSubject(now);
  const observed = observeInput(known, { ...input, retrieved }, recording, now);
  const { lifecycle } = observed;
  const hasMoved = stageOf(lifecycle) !== stageOf(known.lifecycle);
  return {
    before,
    saved: {
      lifecycle,
      stageSince: hasMoved ? now : known.stageSince,
      refused: release ? [] : (retrieved?.refused ?? known.refused),
      isUnannounced: known.isUnannounced && !release,
    },
    announcements: await compose(deps, subject, observed, recording, retrieved),
    leaseMs,
    retrieved: retrieved !== undefined || recording.events.length > 0,
  };
}

/**
 * Whether others have recorded everything that it was retrieved for, as when a run was reset or its server went on from an older copy
 * of its database: what was recorded since may be newer than what it shows.
 */
const isOutdated = ({ eventIds }: RecordInput, { events }: Recording): boolean =>
  eventIds.length > 0 && events.length === 0;

function observeInput(
  { lifecycle, stageSince }: SavedSubject,
  { subject: { kind }, known, retrieved, overdue, release }: RecordInput,
  recording: Recording,
  now: number,
): Observed {
  const unchanged = { lifecycle, changes: [] };
  if (overdue) {
    const isSame = stageSince === overdue.since || lifecycle.revision === known;
    const isStill = isSame && stageOf(lifecycle) === overdue.stage;
    return isStill && !needsAttention(lifecycle) ? observeClock(lifecycle, 'stalled', now) : unchanged;
  }
  if (release) return needsAttention(lifecycle) ? observeClock(lifecycle, 'resumed', now) : unchanged;
  const { events } = readEvents(recording.events);
  return observeBatch(lifecycle, { kind, events, snapshot: retrieved?.snapshot ?? null, now });
}

async function compose(
  deps: ActivityDeps,
  subject: SubjectRef,
  observed: Observed,
  recording: Recording,
  retrieved: Retrieved | undefined,
): Promise<Decision['announcements']> {
  const find = findOnce(recording.resources, subject.tenant);
  const composed: Decision['announcements'][number][] = [];
  for (const { change, resources } of enrich(subject, observed, retrieved)) {
    const bodies = await bodiesOf(find, resources);
    const payload = await keepPayload(deps, subject, change, recording);
    const own = payload && { [subject.kind]: payload };
    const { lifecycle } = observed;
    const announcement = deps.compose({ subject, change, lifecycle, resources: { ...bodies, ...own } });
    composed.push({ ...announcement, summary: describeChange(change) });
  }
  return composed;
}

/** The resource that came with the event; where that is newer than what is kept, it is kept, since no GET would bring it again. */
async function keepPayload(
  { readPayload }: ActivityDeps,
  { tenant, kind, id }: SubjectRef,
  { event, late }: Change,
  { bodyOf, resources }: Recording,
): Promise<string | undefined> {
  if (!event?.shown) return undefined;
  const body = await bodyOf(event.id);
  const payload = body && readPayload(body);
  if (payload && !late) await resources.put(tenant, kind, id, payload);
  return payload;
}

type Find = (kind: ResourceKind, id: string) => ReturnType<Resources['find']>;

/** Changes of one batch share most of their resources. */
function findOnce(resources: Resources, tenant: string): Find {
  const found = new Map<string, ReturnType<Find>>();
  return (kind, id) => {
    const key = `${kind} ${id}`;
    const resource = found.get(key) ?? resources.find(tenant, kind, id);
    found.set(key, resource);
    return resource;
  };
}

async function bodiesOf(find: Find, ids: EnrichedChange['resources']): Promise<AnnouncementInput['resources']> {
  const found = await Promise.all(
    Object.entries(ids).map(async ([kind, id]) => [kind, await find(kind as ResourceKind, id)] as const),
  );
  return Object.fromEntries(found.flatMap(([kind, resource]) => (resource ? [[kind, resource.body]] : [])));
}
