import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setDefaultSignalHandler,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { isOver, needsAttention } from '../src/domain/stage.ts';
import { type ActivityProxies, createActivityProxies } from './activities.ts';
import { events, type LifeInput, lifecycle, refresh, release, resend, timeline } from './messages.ts';
import { keepAnnouncing, keepRecording } from './publishing.ts';
import { keepWatch } from './stage-watch.ts';
import { carry, createState, type LifeState, takeClock, viewOf } from './state.ts';
import { takeIn } from './taking-in.ts';
import { show, showDetails } from './visibility.ts';

/**
 * One life, from its first event until it has been quiet after its end. Whatever waits is observed together; recording,
 * announcing and the watch over the stage run beside that, so that none holds back another.
 */
export async function live(input: LifeInput): Promise<void> {
  const state = createState(input, Date.now());
  const activities = createActivityProxies(input.settings);
  handleMessages(state);
  if (!input.carried) await recallInto(state, activities);
  showDetails(state);

  const background = new CancellationScope();
  const stopped = background
    .run(() => Promise.all([keepRecording(state, activities), keepAnnouncing(state, activities), keepWatch(state)]))
    .catch(ignoreCancellation);
  const ending = await Promise.race([observeAll(state, activities), stopped]);
  background.cancel();
  if (ending === 'over') return;

  await stopped;
  await condition(allHandlersFinished);
  await continueAsNew<typeof live>({ ...input, carried: carry(state) });
}

/** Observes what comes until the life is over or the run has grown long. Nothing is awaited between the last look and the return. */
async function observeAll(state: LifeState, activities: ActivityProxies): Promise<'over' | 'long'> {
  for (;;) {
    if (hasWork(state) && !(isLong(state) && !isRefreshing(state))) await takeIn(state, activities);
    else if (isLong(state)) return 'long';
    else if (await hasEnded(state)) return 'over';
  }
}

async function hasEnded(state: LifeState): Promise<boolean> {
  if (!isOver(state.subject.kind, state.lifecycle)) {
    await condition(() => hasWork(state) || isLong(state) || isOver(state.subject.kind, state.lifecycle));
    return false;
  }
  const woken = await condition(() => hasWork(state), state.settings.quietPeriodMs, { summary: 'quiet period' });
  if (woken) return false;
  state.isEnding = true;
  await condition(() => hasWork(state) || isPublished(state));
  state.isEnding = false;
  return !hasWork(state) && allHandlersFinished();
}

const isRefreshing = (state: LifeState): boolean => state.refreshesAsked > state.refreshesDone;

const hasWork = (state: LifeState): boolean => state.queue.length > 0 || isRefreshing(state);

const isPublished = ({ unrecorded, outbox, recorded, lifecycle }: LifeState): boolean =>
  unrecorded.length === 0 && outbox.length === 0 && recorded === lifecycle;

const isLong = ({ signals, settings }: LifeState): boolean =>
  signals >= settings.signalsPerRun || workflowInfo().continueAsNewSuggested;

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

/** What was recorded before (by a run that completed, or by one that Temporal has lost) goes on where it was. */
async function recallInto(state: LifeState, { recall }: ActivityProxies): Promise<void> {
  const recollection = await recall('what is known already', state.subject);
  if (!recollection) return;
  state.lifecycle = recollection.lifecycle;
  state.recorded = recollection.lifecycle;
  // A signal may have asked for one to be sent again meanwhile.
  const asked = state.outbox.filter((id) => !recollection.unsent.includes(id));
  state.outbox = [...recollection.unsent, ...asked];
  state.parked = recollection.parked.filter((id) => !asked.includes(id));
}

/** Handlers only take notes: one that threw would wedge the workflow for ever. */
function handleMessages(state: LifeState): void {
  setHandler(lifecycle, () => viewOf(state));
  setHandler(timeline, () => state.timeline);
  setHandler(refresh, async () => {
    state.refreshesAsked += 1;
    const mine = state.refreshesAsked;
    await condition(() => state.refreshesDone >= mine);
    return viewOf(state);
  });
  setHandler(release, () => {
    state.refused = [];
    state.parked = [];
    if (needsAttention(state.lifecycle)) takeClock(state, 'resumed');
    show(state);
    return viewOf(state);
  });
  setHandler(events, (batch) => {
    state.queue.push(...batch);
    state.signals += 1;
  });
  setHandler(resend, (ids) => {
    state.parked = state.parked.filter((id) => !ids.includes(id));
    state.outbox.push(...ids.filter((id) => !state.outbox.includes(id)));
    state.signals += 1;
    show(state);
  });
  // Last, because it takes every signal that waits without a handler: one that another version sent counts, no more.
  setDefaultSignalHandler(() => {
    state.signals += 1;
  });
}
