import { condition } from '@temporalio/workflow';
import { observeClock } from '../src/domain/observe.ts';
import { needsAttention, stageOf } from '../src/domain/stage.ts';
import type { ActivityProxies } from './activities.ts';
import { advance } from './advancing.ts';
import type { LifeState } from './state.ts';
import { show } from './visibility.ts';

/** Marks the subject for attention when a stage outlasts its limit, also while a GET is being retried. */
export async function keepWatch(state: LifeState, activities: Pick<ActivityProxies, 'publish'>): Promise<never> {
  for (;;) {
    const stage = stageOf(state.lifecycle);
    const since = state.stageSince;
    const limitMs = limitOf(state);
    const hasMoved = () =>
      stageOf(state.lifecycle) !== stage || state.stageSince !== since || limitOf(state) !== limitMs;
    if (limitMs === undefined || needsAttention(state.lifecycle)) {
      await condition(hasMoved);
      continue;
    }
    const remainingMs = Math.max(1, since + limitMs - Date.now());
    if (await condition(hasMoved, remainingMs, { summary: `limit of stage ${stage}` })) continue;
    await advance(state, activities, (lifecycle) => {
      const isStill = stageOf(lifecycle) === stage && !needsAttention(lifecycle);
      return isStill ? observeClock(lifecycle, 'stalled', Date.now()) : { lifecycle, changes: [] };
    });
    show(state);
  }
}

/** Ends the mark for attention. */
export async function endAttention(state: LifeState, activities: Pick<ActivityProxies, 'publish'>): Promise<void> {
  state.refused = [];
  state.parked = [];
  await advance(state, activities, (lifecycle) => {
    return needsAttention(lifecycle) ? observeClock(lifecycle, 'resumed', Date.now()) : { lifecycle, changes: [] };
  });
  show(state);
}

/** The limit of the stage, as far as the customer is known. */
function limitOf({ lifecycle, settings }: LifeState): number | undefined {
  const stage = stageOf(lifecycle);
  return settings.stageLimitsMs[`${lifecycle.snapshot?.customerId}:${stage}`] ?? settings.stageLimitsMs[stage];
}
