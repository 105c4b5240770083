import { condition } from '@temporalio/workflow';
import type { ActivityProxies } from './activities.ts';
import { type LifeState, note } from './state.ts';
import { brief, describeAnnouncements, withoutSubject } from './timeline.ts';
import { show } from './visibility.ts';

/** How many announcements one attempt sends. */
const ANNOUNCEMENTS_PER_CALL = 20;

/** Records changes as they come, for as long as its scope lives; each recorded change puts its announcement in the outbox. */
export async function keepRecording(state: LifeState, { record }: Pick<ActivityProxies, 'record'>): Promise<never> {
  for (;;) {
    await condition(() => state.unrecorded.length > 0 || (state.isEnding && state.recorded !== state.lifecycle));
    const changes = [...state.unrecorded];
    const { subject, lifecycle } = state;
    const summary = `revision ${lifecycle.revision}: ${brief(changes.map(({ change }) => change.milestone)) || 'the end of the run'}`;
    state.outbox.push(...(await record.executeWithOptions({ summary }, [{ subject, lifecycle, changes }])));
    state.unrecorded.splice(0, changes.length);
    state.recorded = lifecycle;
  }
}

/** Announces what is recorded, in order, for as long as its scope lives. A dead destination holds back nothing else. */
export async function keepAnnouncing(
  state: LifeState,
  { announce }: Pick<ActivityProxies, 'announce'>,
): Promise<never> {
  for (;;) {
    await condition(() => state.outbox.length > 0);
    const ids = state.outbox.slice(0, ANNOUNCEMENTS_PER_CALL);
    await announce.executeWithOptions({ summary: brief(ids.map(withoutSubject)) }, [ids]);
    state.outbox.splice(0, ids.length);
    note(state, describeAnnouncements(Date.now(), ids));
    show(state);
  }
}
