import type { Recorded } from '../activities/record.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Standing } from '../src/domain/lifecycle/standing.ts';
import type { Carried, Settings, SubjectInput, SubjectView } from './messages.ts';

/** Ids of announcements by destination; a destination without any has no entry. */
type OutgoingQueues = Map<string, readonly string[]>;

/** State of a run: the subject as the store last reported it, and the work that is pending. Decisions are made in the store. */
export interface SubjectState {
  readonly subject: SubjectRef;
  settings: Settings;
  /** Null until the store has been read. */
  standing: Standing | null;
  /** True when events may wait in the inbox. */
  isAwake: boolean;
  /** Names of the events that the workflow was woken for, for people only. */
  names: string[];
  /** Number of consecutive batches that left events waiting. */
  followUps: number;
  /** Ids of announcements to send, in order, by destination. */
  readonly outbox: OutgoingQueues;
  /** Ids of announcements that a destination rejects while it accepts others. */
  readonly rejectedAnnouncements: OutgoingQueues;
  /** Waits that destinations asked for before the outbox is sent, in milliseconds. */
  readonly announceWaitsMs: Map<string, number>;
  /** Ends the waits for the next attempt, by destination. */
  readonly waits: Map<string, readonly (() => void)[]>;
  timeline: string[];
  signals: number;
  refreshesAsked: number;
  refreshesDone: number;
  /** True once the run is about to continue as new. */
  isEnding: boolean;
}

/** Returns the initial state of a run. The first run of a subject reads the store before anything else. */
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
    isEnding: false,
  };
}

/** Reports whether a requested refresh is still pending. */
export const isRefreshing = (state: SubjectState): boolean => state.refreshesAsked > state.refreshesDone;

/** Reports whether there is work to do. */
export const hasWork = (state: SubjectState): boolean => state.isAwake || isRefreshing(state);

/** Applies an answer of the store. Two answers may cross; the newer revision wins. */
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

/** Returns the ids in the queue of a destination. */
const idsIn = (queues: OutgoingQueues, destination: string): readonly string[] => queues.get(destination) ?? [];

/** Appends ids to the queue of a destination. */
export function append(queues: OutgoingQueues, destination: string, ids: readonly string[]): void {
  if (ids.length > 0) queues.set(destination, [...idsIn(queues, destination), ...ids]);
}

/** Removes ids from the queue of a destination. */
export function remove(queues: OutgoingQueues, destination: string, ids: readonly string[]): void {
  const left = idsIn(queues, destination).filter((id) => !ids.includes(id));
  if (left.length > 0) queues.set(destination, left);
  else queues.delete(destination);
}

const sizeOf = (queues: OutgoingQueues): number => [...queues.values()].reduce((sum, ids) => sum + ids.length, 0);

/** Number of event names kept for display. */
const NAMES = 20;

/** Notes that events wait for the subject. */
export function wake(state: SubjectState, names: readonly string[]): void {
  state.isAwake = true;
  state.names = [...state.names, ...names].slice(-NAMES);
}

/** Returns the state that the next run starts with. */
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

/** Returns the operator's view of a subject. */
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

/** View of a subject before the store has been read. */
const UNKNOWN: Standing = {
  revision: 0,
  stage: 'created',
  stageSince: 0,
  isOver: false,
  isStalled: false,
  attention: [],
  lastEventTime: 0,
  snapshot: null,
  progress: null,
};

/** Number of timeline lines shown in the Temporal UI. */
const TIMELINE_LIMIT = 60;

/** Appends lines to the timeline and drops the oldest. */
export function note(state: SubjectState, ...lines: readonly string[]): void {
  state.timeline = [...state.timeline, ...lines].slice(-TIMELINE_LIMIT);
}
