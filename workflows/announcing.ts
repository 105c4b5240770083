import { condition, sleep } from '@temporalio/workflow';
import type { Announced } from '../activities/announce.ts';
import { withoutSubject } from '../src/domain/catalogue/subject.ts';
import { brief, describeResults } from '../src/domain/lifecycle/timeline.ts';
import { announce } from './activities.ts';
import { note, type SubjectState } from './state.ts';
import { show } from './visibility.ts';

/** Number of announcements per activity. */
const ANNOUNCEMENTS_PER_CALL = 100;

/** Announces the outbox in order, or retries rejected announcements, until its scope is canceled. */
export async function keepAnnouncing(state: SubjectState, queue: 'outbox' | 'rejectedAnnouncements'): Promise<never> {
  for (;;) {
    await condition(() => state[queue].length > 0);
    if (queue === 'outbox') await waitAsAsked(state);
    const { subject, settings } = state;
    const ids = state[queue].slice(0, ANNOUNCEMENTS_PER_CALL);
    const each = queue === 'rejectedAnnouncements';
    const summary = brief(ids.map(withoutSubject)) + (each ? ' again' : '');
    const announced = await announce(summary, { subject, ids, each }, settings);
    state[queue] = state[queue].filter((id) => !ids.includes(id));
    adoptAnnounced(state, announced);
    show(state);
  }
}

/** Waits for as long as the destination asked when it was tried inline. */
async function waitAsAsked(state: SubjectState): Promise<void> {
  const { announceWaitMs } = state;
  if (announceWaitMs === 0) return;
  state.announceWaitMs = 0;
  await sleep(announceWaitMs, { summary: 'the destination asked to wait' });
}

/** Applies the outcome of announcing. */
export function adoptAnnounced(state: SubjectState, { results, refused }: Announced): void {
  note(state, ...describeResults(Date.now(), results));
  state.rejectedAnnouncements.push(...refused);
  const { standing } = state;
  if (!standing || !results.some(({ deadLettered }) => deadLettered !== undefined)) return;
  state.standing = { ...standing, attention: [...new Set([...standing.attention, 'unannounced' as const])] };
}
