import { condition } from '@temporalio/workflow';
import { LONGEST_TIMER_MS } from '../src/base/longest-timer.ts';
import { record } from './activities.ts';
import { adopt, type SubjectState } from './state.ts';
import { show } from './visibility.ts';

/** Time to the next attempt if the store, whose clock may be behind, did not find the subject late yet. In milliseconds. */
const AGAIN_MS = 10_000;

/** Records that the subject is at risk, or overdue, when the time comes, even while a GET is being retried. */
export async function keepDeadline(state: SubjectState): Promise<never> {
  let leastMs = 1;
  for (;;) {
    const at = state.standing?.lateAt;
    const hasMoved = () => state.standing?.lateAt !== at;
    if (at === undefined) await condition(hasMoved);
    else {
      const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(leastMs, at - Date.now()));
      const isEarly = await condition(hasMoved, waitMs, { summary: 'deadline' });
      if (!isEarly && Date.now() >= at) await recordLateness(state);
      leastMs = isEarly || hasMoved() ? 1 : AGAIN_MS;
    }
  }
}

async function recordLateness(state: SubjectState): Promise<void> {
  const { subject, standing } = state;
  adopt(state, await record('deadline', { subject, known: standing?.revision ?? null, eventIds: [] }));
  show(state);
}
