import { condition } from '@temporalio/workflow';
import { LONGEST_TIMER_MS } from '../src/base/moment.ts';
import { record } from './activities.ts';
import { adopt, type SubjectState } from './state.ts';
import { show } from './visibility.ts';

/** Records a stall even while a GET is being retried. */
export async function keepWatch(state: SubjectState): Promise<never> {
  for (;;) {
    const { subject, standing } = state;
    const limitMs = limitOf(state);
    const hasMoved = () =>
      state.standing?.stageSince !== standing?.stageSince ||
      state.standing?.stage !== standing?.stage ||
      state.standing?.isStalled !== standing?.isStalled ||
      limitOf(state) !== limitMs;
    if (!standing || limitMs === undefined || standing.isStalled) {
      await condition(hasMoved);
      continue;
    }
    const { stage, stageSince: since, revision: known } = standing;
    const remainingMs = Math.max(1, since + limitMs - Date.now());
    if (await condition(hasMoved, remainingMs, { summary: `stage limit: ${stage}` })) continue;
    adopt(state, await record(`stage limit: ${stage}`, { subject, known, eventIds: [], overdue: { stage, since } }));
    show(state);
    // The store may have recorded another stage that this run has not read yet.
    await condition(() => hasMoved() || state.standing?.revision !== known);
  }
}

/** A customer's own limit applies once the customer is known. */
function limitOf({ standing, settings }: SubjectState): number | undefined {
  if (!standing) return undefined;
  const { stage, snapshot } = standing;
  return settings.stageLimitsMs[`${snapshot?.customerId}:${stage}`] ?? settings.stageLimitsMs[stage];
}

/** Next attempt if the store, whose clock may be behind, did not find the subject late yet. */
const AGAIN_MS = 10_000;

/** Records that the subject is at risk, or overdue, even while a GET is being retried. */
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
