import { condition } from '@temporalio/workflow';
import { needsAttention, stageOf } from '../src/domain/stage.ts';
import { type LifeState, takeClock } from './state.ts';
import { show } from './visibility.ts';

/** Marks the subject for attention when a stage outlasts its limit, also while a GET is being retried. */
export async function keepWatch(state: LifeState): Promise<never> {
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
    takeClock(state, 'stalled');
    show(state);
  }
}

/** The limit of the stage, as far as the customer is known. */
function limitOf({ lifecycle, settings }: LifeState): number | undefined {
  const stage = stageOf(lifecycle);
  return settings.stageLimitsMs[`${lifecycle.snapshot?.customerId}:${stage}`] ?? settings.stageLimitsMs[stage];
}
