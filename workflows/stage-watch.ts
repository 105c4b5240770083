import { condition } from '@temporalio/workflow';
import { observeClock } from '../src/domain/lifecycle.ts';
import { needsAttention, stageOf } from '../src/domain/stage.ts';
import { type OrderState, take } from './order-state.ts';
import { show } from './visibility.ts';

/** Marks the order for attention when a stage outlasts its limit, also while a GET is being retried. */
export async function keepWatch(state: OrderState): Promise<never> {
  for (;;) {
    const stage = stageOf(state.lifecycle);
    const since = state.stageSince;
    const hasMoved = () => stageOf(state.lifecycle) !== stage || state.stageSince !== since;
    const limitMs = state.settings.stageLimitsMs[stage];
    if (limitMs === undefined || needsAttention(state.lifecycle)) {
      await condition(hasMoved);
      continue;
    }
    const remainingMs = Math.max(1, since + limitMs - Date.now());
    if (await condition(hasMoved, remainingMs, { summary: `limit of stage ${stage}` })) continue;
    take(state, observeClock(state.lifecycle, 'stalled', Date.now()), Date.now());
    show(state);
  }
}
