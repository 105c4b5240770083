import type { EnrichedChange } from '../activities/record.ts';
import type { Retrieved } from '../activities/retrieve.ts';
import type { SignaledEvent } from '../src/domain/event.ts';
import { type Change, type Lifecycle, unknownLifecycle } from '../src/domain/lifecycle.ts';
import { type Observed, observeClock } from '../src/domain/observe.ts';
import { progressOf } from '../src/domain/progress.ts';
import { needsAttention, stageOf } from '../src/domain/stage.ts';
import { orderItemKey, type SubjectRef } from '../src/domain/subject.ts';
import type { Attention, Carried, LifeInput, LifeSettings, LifeView } from './messages.ts';
import { describeChange, shorten } from './timeline.ts';

/** Everything that a run knows of its subject; plain JSON but for the counters, which start anew with each run. */
export interface LifeState {
  readonly subject: SubjectRef;
  readonly settings: LifeSettings;
  lifecycle: Lifecycle;
  /** The lifecycle as it was last recorded; what an absorbed event adds is recorded only when the run ends. */
  recorded: Lifecycle;
  isEnding: boolean;
  /** When the subject came to its present stage, as far as this workflow saw it, in milliseconds since the epoch. */
  stageSince: number;
  /** Events that were signaled and not yet observed. */
  queue: SignaledEvent[];
  /** Changes that were observed and not yet recorded, the recorder's current ones included. */
  unrecorded: EnrichedChange[];
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
    isEnding: false,
    stageSince: carried?.stageSince ?? now,
    queue: [...(carried?.queue ?? [])],
    unrecorded: [...(carried?.unrecorded ?? [])],
    outbox: [...(carried?.outbox ?? [])],
    parked: [...(carried?.parked ?? [])],
    refused: carried?.refused ?? [],
    timeline: [...(carried?.timeline ?? [])],
    signals: 0,
    refreshesAsked: 0,
    refreshesDone: 0,
  };
}

/** What the next run needs. */
export function carry(state: LifeState): Carried {
  const { lifecycle, queue, unrecorded, outbox, parked, refused, timeline, stageSince } = state;
  return { lifecycle, queue, unrecorded, outbox, parked, refused, timeline, stageSince };
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

/** Takes in an observation; what had stalled resumes when its stage moves. */
export function take(state: LifeState, observed: Observed, retrieved?: Retrieved): void {
  const moved = stageOf(observed.lifecycle) !== stageOf(state.lifecycle);
  adopt(state, observed, retrieved);
  if (!moved) return;
  state.stageSince = Date.now();
  if (needsAttention(state.lifecycle)) takeClock(state, 'resumed');
}

/** Takes in that the subject stalled or resumed, which moves no stage. */
export function takeClock(state: LifeState, milestone: 'stalled' | 'resumed'): void {
  adopt(state, observeClock(state.lifecycle, milestone, Date.now()));
}

/** Adds lines to the timeline. */
export function note(state: LifeState, ...lines: readonly string[]): void {
  state.timeline = shorten([...state.timeline, ...lines]);
}

function adopt(state: LifeState, { lifecycle, changes }: Observed, retrieved?: Retrieved): void {
  state.lifecycle = lifecycle;
  state.unrecorded.push(...changes.map((change) => enrich(state, change, retrieved)));
  note(state, ...changes.map(describeChange));
}

function enrich({ subject, lifecycle }: LifeState, change: Change, retrieved?: Retrieved): EnrichedChange {
  const plan = change.event?.plan ?? [];
  const user = plan.includes('getUser') ? (change.event?.userId ?? retrieved?.modifiedBy) : undefined;
  const pickList = plan.includes('getOrdersPicklist') ? (change.event?.pickJobId ?? retrieved?.pickJobId) : undefined;
  const customer = lifecycle.snapshot?.customerId;
  const line = change.event?.orderItemId;
  return {
    change,
    resources: {
      ...(line && { orderItem: orderItemKey(subject.id, line) }),
      // What came with the event is read from its message.
      ...(!line && !change.event?.shown && { [subject.kind]: subject.id }),
      ...(customer && { customer }),
      ...(user && { user }),
      ...(pickList && { pickList }),
    },
  };
}
