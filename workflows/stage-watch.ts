import { condition } from '@temporalio/workflow';
import { record } from './activities.ts';
import { adopt, type SubjectState } from './state.ts';
import { show } from './visibility.ts';

/** Records the subject as stalled when a stage exceeds its limit, even while a GET is being retried. */
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
    if (await condition(hasMoved, remainingMs, { summary: `limit of stage ${stage}` })) continue;
    adopt(state, await record(`limit of stage ${stage}`, { subject, known, eventIds: [], overdue: { stage, since } }));
    show(state);
    // The store may have recorded another stage that this run has not read yet.
    await condition(() => hasMoved() || state.standing?.revision !== known);
  }
}

/** Returns the limit of the current stage; a customer's own limit applies once the customer is known. */
function limitOf({ standing, settings }: SubjectState): number | undefined {
  if (!standing) return undefined;
  const { stage, snapshot } = standing;
  return settings.stageLimitsMs[`${snapshot?.customerId}:${stage}`] ?? settings.stageLimitsMs[stage];
}
