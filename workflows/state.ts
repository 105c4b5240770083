import type { Recollection } from '../activities/ports.ts';
import type { SignaledEvent } from '../src/domain/event.ts';
import { type Lifecycle, unknownLifecycle } from '../src/domain/lifecycle.ts';
import { progressOf } from '../src/domain/progress.ts';
import { needsAttention, stageOf } from '../src/domain/stage.ts';
import type { SubjectRef } from '../src/domain/subject.ts';
import type { Attention, Carried, LifeInput, LifeSettings, LifeView } from './messages.ts';
import { shorten } from './timeline.ts';

/** Everything that a run knows of its subject; plain JSON but for the counters, which start anew with each run. */
export interface LifeState {
  readonly subject: SubjectRef;
  readonly settings: LifeSettings;
  lifecycle: Lifecycle;
  /** The lifecycle as it was last recorded; what an absorbed event adds is recorded only when the run ends. */
  recorded: Lifecycle;
  /** Whether it is known what earlier runs recorded. */
  isRecalled: boolean;
  /** When the subject came to its present stage, as far as this workflow saw it, in milliseconds since the epoch. */
  stageSince: number;
  /** Events that were signaled and not yet observed. */
  queue: SignaledEvent[];
  /** Something is being recorded. */
  isAdvancing: boolean;
  /** Announcements that were recorded and not yet acknowledged. */
  outbox: string[];
  /** Announcements that were parked, for want of a destination that takes them. */
  parked: string[];
  /** What the warehouse refused for good at the last retrieval. */
  refused: readonly string[];
  timeline: string[];
  signals: number;
  refreshesAsked: number;
  refreshesDone: number;
}

/** The state that a run starts with. */
export function createState({ subject, settings, carried }: LifeInput, now: number): LifeState {
  return {
    subject,
    settings,
    lifecycle: carried?.lifecycle ?? unknownLifecycle,
    recorded: unknownLifecycle,
    isRecalled: carried !== undefined,
    stageSince: carried?.stageSince ?? now,
    queue: [...(carried?.queue ?? [])],
    isAdvancing: false,
    outbox: [...(carried?.outbox ?? [])],
    parked: [...(carried?.parked ?? [])],
    refused: carried?.refused ?? [],
    timeline: [...(carried?.timeline ?? [])],
    signals: 0,
    refreshesAsked: 0,
    refreshesDone: 0,
  };
}

/** Takes in what an earlier run left, if there was one. */
export function remember(state: LifeState, recollection: Recollection | null): void {
  state.isRecalled = true;
  if (!recollection) return;
  if (stageOf(recollection.lifecycle) !== stageOf(state.lifecycle)) state.stageSince = Date.now();
  state.lifecycle = recollection.lifecycle;
  state.recorded = recollection.lifecycle;
  // A signal may have asked for one to be sent again meanwhile.
  const asked = state.outbox.filter((id) => !recollection.unsent.includes(id));
  state.outbox = [...recollection.unsent, ...asked];
  state.parked = recollection.parked.filter((id) => !asked.includes(id));
}

/** What the next run needs. */
export function carry(state: LifeState): Carried {
  const { lifecycle, queue, outbox, parked, refused, timeline, stageSince } = state;
  return { lifecycle, queue, outbox, parked, refused, timeline, stageSince };
}

/** Why a person should look at the subject: it has stalled, the warehouse refused a GET for good, or an announcement was parked. */
export function attentionOf({
  lifecycle,
  refused,
  parked,
}: Pick<LifeState, 'lifecycle' | 'refused' | 'parked'>): Attention | null {
  if (needsAttention(lifecycle)) return 'stalled';
  if (refused.length > 0 && stageOf(lifecycle) !== 'deleted') return 'refused';
  return parked.length > 0 ? 'unannounced' : null;
}

/** What an operator sees. */
export function viewOf(state: LifeState): LifeView {
  const { subject, lifecycle, queue, outbox } = state;
  return {
    stage: stageOf(lifecycle),
    attention: attentionOf(state),
    lifecycle,
    progress: subject.kind === 'order' ? progressOf(lifecycle) : null,
    waiting: { events: queue.length, announcements: outbox.length },
  };
}

/** Adds lines to the timeline. */
export function note(state: LifeState, ...lines: readonly string[]): void {
  state.timeline = shorten([...state.timeline, ...lines]);
}
