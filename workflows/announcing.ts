import { condition } from '@temporalio/workflow';
import type { Announced } from '../activities/announce.ts';
import { withoutSubject } from '../src/domain/catalogue/subject.ts';
import { brief, describeResults } from '../src/domain/lifecycle/timeline.ts';
import { announce } from './activities.ts';
import { note, type SubjectState } from './state.ts';
import { show } from './visibility.ts';

/** How many announcements one attempt sends. */
const ANNOUNCEMENTS_PER_CALL = 100;

/** Announces what is left in the outbox, in order, or what was refused by itself, for as long as its scope lives. */
export async function keepAnnouncing(state: SubjectState, queue: 'outbox' | 'refused'): Promise<never> {
  for (;;) {
    await condition(() => state[queue].length > 0);
    const { subject, settings } = state;
    const ids = state[queue].slice(0, ANNOUNCEMENTS_PER_CALL);
    const each = queue === 'refused';
    const summary = brief(ids.map(withoutSubject)) + (each ? ' again' : '');
    const announced = await announce(summary, { subject, ids, each }, settings);
    state[queue] = state[queue].filter((id) => !ids.includes(id));
    adoptAnnounced(state, announced);
    show(state);
  }
}

/** Takes over what became of announcements. */
export function adoptAnnounced(state: SubjectState, { results, refused }: Announced): void {
  note(state, ...describeResults(Date.now(), results));
  state.refused.push(...refused);
  const { standing } = state;
  if (!standing || !results.some(({ deadLettered }) => deadLettered !== undefined)) return;
  state.standing = { ...standing, attention: [...new Set([...standing.attention, 'unannounced' as const])] };
}
