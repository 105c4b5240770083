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
import { isOver } from '../src/domain/stage.ts';
import { type ActivityProxies, createActivityProxies } from './activities.ts';
import { keepAnnouncing } from './announcing.ts';
import { events, type LifeInput, lifecycle, refresh, release, resend, timeline } from './messages.ts';
import { endAttention, keepWatch } from './stage-watch.ts';
import { carry, createState, type LifeState, viewOf } from './state.ts';
import { recallInto, takeIn } from './taking-in.ts';
import { show, showDetails } from './visibility.ts';

/**
 * One life, from its first event until it has been quiet after its end. Whatever waits is observed and recorded together;
 * announcing what the destination does not take at once and the watch over the stage run beside that, so that none holds back
 * another.
 */
export async function live(input: LifeInput): Promise<void> {
  const state = createState(input, Date.now());
  const activities = createActivityProxies(input.settings);
  handleMessages(state, activities);
  if (!hasWork(state) && !state.isRecalled) await recallInto(state, activities);
  showDetails(state);

  const background = new CancellationScope();
  const stopped = background
    .run(() => Promise.all([keepAnnouncing(state, activities), keepWatch(state, activities)]))
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
    else if (await hasEnded(state, activities)) return 'over';
  }
}

async function hasEnded(state: LifeState, { record }: Pick<ActivityProxies, 'record'>): Promise<boolean> {
  const { subject, settings } = state;
  if (!isOver(subject.kind, state.lifecycle)) {
    await condition(() => hasWork(state) || isLong(state) || isOver(subject.kind, state.lifecycle));
    return false;
  }
  const woken = await condition(() => hasWork(state), settings.quietPeriodMs, { summary: 'quiet period' });
  if (woken) return false;
  const { lifecycle } = state;
  if (state.recorded !== lifecycle) await record('the end of the run', { subject, lifecycle, changes: [] });
  state.recorded = lifecycle;
  await condition(() => hasWork(state) || isPublished(state));
  return !hasWork(state) && state.lifecycle === lifecycle && allHandlersFinished();
}

const isRefreshing = (state: LifeState): boolean => state.refreshesAsked > state.refreshesDone;

const hasWork = (state: LifeState): boolean => state.queue.length > 0 || isRefreshing(state);

const isPublished = ({ isAdvancing, outbox }: LifeState): boolean => !isAdvancing && outbox.length === 0;

const isLong = ({ signals, settings }: LifeState): boolean =>
  signals >= settings.signalsPerRun || workflowInfo().continueAsNewSuggested;

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

/** Handlers only take notes: one that threw would wedge the workflow for ever. */
function handleMessages(state: LifeState, activities: ActivityProxies): void {
  setHandler(lifecycle, () => viewOf(state));
  setHandler(timeline, () => state.timeline);
  setHandler(refresh, async () => {
    state.refreshesAsked += 1;
    const mine = state.refreshesAsked;
    await condition(() => state.refreshesDone >= mine);
    return viewOf(state);
  });
  setHandler(release, async () => {
    await endAttention(state, activities);
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
