import type { Recorded } from '../activities/record.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Standing } from '../src/domain/lifecycle/standing.ts';
import type { Carried, Settings, SubjectInput, SubjectView } from './messages.ts';

/** Everything that a run knows of its subject. What is decided is in the store; this is what the store last said. */
export interface SubjectState {
  readonly subject: SubjectRef;
  settings: Settings;
  /** Null while the store was not asked yet. */
  standing: Standing | null;
  /** Something may wait in the inbox. */
  isAwake: boolean;
  /** The names of the events that it was woken for. */
  names: string[];
  /** How many batches in a row left events waiting. */
  followUps: number;
  /** Announcements that are to be sent, in order. */
  outbox: string[];
  /** Announcements that the destination refuses while it takes others. */
  refused: string[];
  timeline: string[];
  signals: number;
  refreshesAsked: number;
  refreshesDone: number;
  /** The run is about to hand over to the next one. */
  isEnding: boolean;
}

/** The state that a run starts with. One that knows nothing asks the store first. */
export function createState({ subject, settings, carried }: SubjectInput): SubjectState {
  return {
    ...{ subject, settings, standing: carried?.standing ?? null },
    isAwake: carried?.isAwake ?? true,
    names: [],
    followUps: 0,
    outbox: [...(carried?.outbox ?? [])],
    refused: [...(carried?.refused ?? [])],
    timeline: [...(carried?.timeline ?? [])],
    signals: 0,
    refreshesAsked: carried?.isRefreshing ? 1 : 0,
    refreshesDone: 0,
    isEnding: false,
  };
}

/** Whether a refresh was asked for that is not done. */
export const isRefreshing = (state: SubjectState): boolean => state.refreshesAsked > state.refreshesDone;

/** Whether there is something to do. */
export const hasWork = (state: SubjectState): boolean => state.isAwake || isRefreshing(state);

/** Takes over what the store says. Two answers may cross; the newer one counts. */
export function adopt(state: SubjectState, { standing, lines, announce, waiting }: Recorded): void {
  note(state, ...lines);
  const known = new Set([...state.outbox, ...state.refused]);
  state.outbox.push(...announce.filter((id) => !known.has(id)));
  state.followUps = waiting.length > 0 ? state.followUps + 1 : 0;
  if (waiting.length > 0) wake(state, waiting);
  if (standing.revision >= (state.standing?.revision ?? 0)) state.standing = standing;
}

/** How many names are shown. */
const NAMES = 20;

/** Events wait for the subject; their names are for people only. */
export function wake(state: SubjectState, names: readonly string[]): void {
  state.isAwake = true;
  state.names = [...state.names, ...names].slice(-NAMES);
}

/** What the next run needs. */
export function carry(state: SubjectState): Carried {
  const { standing, isAwake, outbox, refused, timeline } = state;
  return { standing, isAwake, isRefreshing: isRefreshing(state), outbox, refused, timeline };
}

/** What an operator sees. */
export function viewOf({ standing, names, outbox, refused }: SubjectState): SubjectView {
  const { revision, lastEventTime, snapshot, ...rest } = standing ?? UNKNOWN;
  const { stage, stageSince, attention, progress } = rest;
  return {
    ...{ stage, stageSince, attention, lifecycle: { revision, lastEventTime, snapshot }, progress },
    waiting: { events: names.length, announcements: outbox.length + refused.length },
  };
}

/** What is shown before the store was asked. */
const UNKNOWN: Standing = {
  ...{ revision: 0, stage: 'created', stageSince: 0, isOver: false, isStalled: false, attention: [] },
  ...{ lastEventTime: 0, snapshot: null, progress: null },
};

/** How many lines the Temporal UI shows. */
const TIMELINE_LIMIT = 60;

/** Adds lines to the timeline; the oldest go. */
export function note(state: SubjectState, ...lines: readonly string[]): void {
  state.timeline = [...state.timeline, ...lines].slice(-TIMELINE_LIMIT);
}
