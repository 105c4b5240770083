import { ActivityFailure, condition, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { ActivityProxies } from './activities.ts';
import { type LifeState, note } from './state.ts';
import { brief, describeAnnouncements, describeGivingUp, withoutSubject } from './timeline.ts';
import { show } from './visibility.ts';

/** How many changes one attempt records: their size is bounded by what Temporal takes. */
const CHANGES_PER_CALL = 500;

/** How many announcements one attempt sends. */
const ANNOUNCEMENTS_PER_CALL = 20;

/** Records changes as they come, for as long as its scope lives; each recorded change puts its announcement in the outbox. */
export async function keepRecording(state: LifeState, { record }: Pick<ActivityProxies, 'record'>): Promise<never> {
  for (;;) {
    await condition(() => state.unrecorded.length > 0 || (state.isEnding && state.recorded !== state.lifecycle));
    const changes = state.unrecorded.slice(0, CHANGES_PER_CALL);
    const { subject, lifecycle } = state;
    const summary = `revision ${lifecycle.revision}: ${brief(changes.map(({ change }) => change.milestone)) || 'the end of the run'}`;
    state.outbox.push(...(await record(summary, { subject, lifecycle, changes })));
    state.unrecorded.splice(0, changes.length);
    state.recorded = lifecycle;
  }
}

/**
 * Announces what is recorded, in order, for as long as its scope lives. A dead destination holds back nothing else; what it has
 * not taken in the end is parked until somebody asks for it to be sent again.
 */
export async function keepAnnouncing(
  state: LifeState,
  { announce, park }: Pick<ActivityProxies, 'announce' | 'park'>,
): Promise<never> {
  const { tenant } = state.subject;
  for (;;) {
    await condition(() => state.outbox.length > 0);
    const ids = state.outbox.slice(0, ANNOUNCEMENTS_PER_CALL);
    const summary = brief(ids.map(withoutSubject));
    try {
      await announce(summary, { tenant, ids });
      note(state, describeAnnouncements(Date.now(), ids));
    } catch (error) {
      if (isCancellation(error)) throw error;
      const reason = reasonOf(error);
      const parked = await park(`given up: ${summary}`, { ids, reason });
      state.parked.push(...parked);
      note(state, describeGivingUp(Date.now(), parked, reason));
    }
    state.outbox.splice(0, ids.length);
    show(state);
  }
}

/** What the destination said the last time. */
function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const last = cause instanceof TimeoutFailure ? cause.cause : cause;
  return last instanceof Error ? last.message : 'it took too long';
}
