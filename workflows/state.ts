import { CancellationScope } from '@temporalio/workflow';
import type { Recorded } from '../activities/record.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Standing, SubjectView } from '../src/domain/lifecycle/standing.ts';
import type { Carried, Settings, SubjectInput } from './messages.ts';

type OutgoingQueues = Map<string, readonly string[]>;

/** The subject as the store last reported it, and pending work. Decisions are made in the store. */
export interface SubjectState {
  readonly subject: SubjectRef;
  settings: Settings;
  /** Null until the store has been read. */
  standing: Standing | null;
  isAwake: boolean;
  /** Events of the last wakes, for people only. */
  names: string[];
  /** Consecutive batches that left events waiting. */
  followUps: number;
  readonly outbox: OutgoingQueues;
  readonly rejectedAnnouncements: OutgoingQueues;
  readonly announceWaitsMs: Map<string, number>;
  readonly waits: Map<string, readonly (() => void)[]>;
  timeline: string[];
  signals: number;
  refreshesAsked: number;
  refreshesDone: number;
  /** Count of retrievals that were to begin anew. */
  expedited: number;
  isEnding: boolean;
}

/** The first run of a subject reads the store before anything else. */
export function createState({ subject, settings, carried }: SubjectInput): SubjectState {
  return {
    subject,
    settings,
    standing: carried?.standing ?? null,
    isAwake: carried?.isAwake ?? true,
    names: [],
    followUps: 0,
    outbox: new Map(Object.entries(carried?.outbox ?? {})),
    rejectedAnnouncements: new Map(Object.entries(carried?.refused ?? {})),
    announceWaitsMs: new Map(),
    waits: new Map(),
    timeline: [...(carried?.timeline ?? [])],
    signals: 0,
    refreshesAsked: carried?.isRefreshing ? 1 : 0,
    refreshesDone: 0,
    expedited: 0,
    isEnding: false,
  };
}

export const isRefreshing = (state: SubjectState): boolean => state.refreshesAsked > state.refreshesDone;

export const hasWork = (state: SubjectState): boolean => state.isAwake || isRefreshing(state);

/** Two answers of the store may cross; the newer revision wins. */
export function adopt(state: SubjectState, { standing, lines, announce, waiting }: Recorded): void {
  note(state, ...lines);
  for (const [destination, ids] of Object.entries(announce)) {
    const known = [...idsIn(state.outbox, destination), ...idsIn(state.rejectedAnnouncements, destination)];
    append(
      state.outbox,
      destination,
      ids.filter((id) => !known.includes(id)),
    );
  }
  state.followUps = waiting.length > 0 ? state.followUps + 1 : 0;
  if (waiting.length > 0) wake(state, waiting);
  if (standing.revision >= (state.standing?.revision ?? 0)) state.standing = standing;
}

const idsIn = (queues: OutgoingQueues, destination: string): readonly string[] => queues.get(destination) ?? [];

export function append(queues: OutgoingQueues, destination: string, ids: readonly string[]): void {
  if (ids.length > 0) queues.set(destination, [...idsIn(queues, destination), ...ids]);
}

export function remove(queues: OutgoingQueues, destination: string, ids: readonly string[]): void {
  const left = idsIn(queues, destination).filter((id) => !ids.includes(id));
  if (left.length > 0) queues.set(destination, left);
  else queues.delete(destination);
}

const sizeOf = (queues: OutgoingQueues): number => [...queues.values()].reduce((sum, ids) => sum + ids.length, 0);

const NAMES = 20;

export function wake(state: SubjectState, names: readonly string[]): void {
  state.isAwake = true;
  state.names = [...state.names, ...names].slice(-NAMES);
}

export function carry(state: SubjectState): Carried {
  const { standing, isAwake, outbox, rejectedAnnouncements, timeline } = state;
  return {
    standing,
    isAwake,
    isRefreshing: isRefreshing(state),
    outbox: Object.fromEntries(outbox),
    refused: Object.fromEntries(rejectedAnnouncements),
    timeline,
  };
}

export function viewOf({ standing, names, outbox, rejectedAnnouncements }: SubjectState): SubjectView {
  const { stage, stageSince, attention, progress, revision, lastEventTime, snapshot } = standing ?? UNKNOWN;
  return {
    stage,
    stageSince,
    attention,
    lifecycle: { revision, lastEventTime, snapshot },
    progress,
    waiting: { events: names.length, announcements: sizeOf(outbox) + sizeOf(rejectedAnnouncements) },
  };
}

const UNKNOWN: Standing = {
  revision: 0,
  stage: 'created',
  stageSince: 0,
  isOver: false,
  isStalled: false,
  attention: [],
  reached: [],
  lastEventTime: 0,
  snapshot: null,
  progress: null,
};

const TIMELINE_LIMIT = 60;

export function note(state: SubjectState, ...lines: readonly string[]): void {
  state.timeline = [...state.timeline, ...lines].slice(-TIMELINE_LIMIT);
}

/** The warehouse among destinations, none of which has an empty name. */
export const WAREHOUSE = '';

/**
 * Does something that may wait for its next attempt, until somebody ends the wait: then returns undefined, what was in
 * flight is completed, and the rest is to be done anew.
 */
export async function unlessExpedited<T>(
  { waits }: SubjectState,
  destination: string,
  act: () => Promise<T>,
): Promise<T | undefined> {
  const scope = new CancellationScope();
  let isExpedited = false;
  const end = () => {
    isExpedited = true;
    scope.cancel();
  };
  waits.set(destination, [...(waits.get(destination) ?? []), end]);
  try {
    return await scope.run(act);
  } catch (error) {
    // An attempt in flight that fails after its cancellation is not retried by Temporal.
    if (isExpedited) return undefined;
    throw error;
  } finally {
    waits.set(destination, waits.get(destination)?.filter((it) => it !== end) ?? []);
  }
}

export function endWaits({ waits }: SubjectState, destination: string): void {
  for (const end of waits.get(destination) ?? []) end();
}
