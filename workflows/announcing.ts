import { ActivityFailure, condition, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { ActivityProxies } from './activities.ts';
import { type LifeState, note } from './state.ts';
import { brief, describeAnnouncements, describeGivingUp, withoutSubject } from './timeline.ts';
import { show } from './visibility.ts';

/** How many announcements one attempt sends. */
const ANNOUNCEMENTS_PER_CALL = 100;

/**
 * Announces what is left in the outbox, in order, for as long as its scope lives. A dead destination holds back nothing else; what
 * it has not taken in the end is parked until somebody asks for it to be sent again.
 */
export async function keepAnnouncing(
  state: LifeState,
  { announce, announceAtOnce, park }: Pick<ActivityProxies, 'announce' | 'announceAtOnce' | 'park'>,
): Promise<never> {
  const { tenant } = state.subject;
  for (;;) {
    await condition(() => state.outbox.length > 0);
    const ids = state.outbox.slice(0, ANNOUNCEMENTS_PER_CALL);
    const left = await announceAtOnce({ tenant, ids });
    const summary = brief(left.map(withoutSubject));
    try {
      if (left.length > 0) await announce(summary, { tenant, ids: left });
      note(state, describeAnnouncements(Date.now(), ids));
    } catch (error) {
      if (isCancellation(error)) throw error;
      const reason = reasonOf(error);
      const parked = await park(`given up: ${summary}`, { ids: left, reason });
      state.parked.push(...parked);
      note(state, describeGivingUp(Date.now(), parked, reason));
    }
    state.outbox = state.outbox.filter((id) => !ids.includes(id));
    show(state);
  }
}

/** What the destination said the last time. */
function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const last = cause instanceof TimeoutFailure ? cause.cause : cause;
  return last instanceof Error ? last.message : 'it took too long';
}
