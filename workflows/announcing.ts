import { condition, sleep } from '@temporalio/workflow';
import type { Announced, AnnouncedInline } from '../activities/announce.ts';
import { withoutSubject } from '../src/domain/catalogue/subject.ts';
import { brief, describeResults } from '../src/domain/lifecycle/timeline.ts';
import { announce } from './activities.ts';
import { append, note, remove, type SubjectState, unlessExpedited } from './state.ts';
import { show } from './visibility.ts';

const ANNOUNCEMENTS_PER_CALL = 100;

/** Queues of a subject: its announcements in order, and those that are rejected while others are accepted. */
type QueueName = 'outbox' | 'rejectedAnnouncements';

/** Announces until its scope is canceled: to each destination in order, to all side by side. */
export async function keepAnnouncing(state: SubjectState, queue: QueueName): Promise<never> {
  const busy = new Map<string, Promise<void>>();
  const failed = Promise.withResolvers<never>();
  const idle = () => [...state[queue].keys()].filter((destination) => !busy.has(destination));
  try {
    for (;;) {
      await Promise.race([condition(() => idle().length > 0), failed.promise]);
      for (const destination of idle()) {
        const announcing = announceAll(state, queue, destination).finally(() => busy.delete(destination));
        busy.set(destination, announcing);
        announcing.catch(failed.reject);
      }
    }
  } finally {
    // What is in flight is completed.
    await Promise.allSettled(busy.values());
  }
}

async function announceAll(state: SubjectState, queue: QueueName, destination: string): Promise<void> {
  if (queue === 'outbox') await waitAsAsked(state, destination);
  for (let ids = state[queue].get(destination); ids; ids = state[queue].get(destination)) {
    const { subject, settings } = state;
    const called = ids.slice(0, ANNOUNCEMENTS_PER_CALL);
    const each = queue === 'rejectedAnnouncements';
    const summary = brief(called.map(withoutSubject)) + (each ? ' again' : '');
    const announced = await unlessExpedited(state, destination, () =>
      announce(summary, { subject, destination, ids: called, each }, settings),
    );
    if (!announced) continue;
    remove(state[queue], destination, called);
    adoptAnnounced(state, destination, announced);
    show(state);
  }
}

async function waitAsAsked(state: SubjectState, destination: string): Promise<void> {
  const { announceWaitsMs } = state;
  const waitMs = announceWaitsMs.get(destination);
  if (waitMs === undefined) return;
  announceWaitsMs.delete(destination);
  await unlessExpedited(state, destination, () => sleep(waitMs, { summary: 'the destination asked to wait' }));
}

export function adoptAnnounced(
  state: SubjectState,
  destination: string,
  { results, refused, waitMs }: Announced & Partial<Pick<AnnouncedInline, 'waitMs'>>,
): void {
  note(state, ...describeResults(Date.now(), results));
  append(state.rejectedAnnouncements, destination, refused);
  if (waitMs !== undefined) state.announceWaitsMs.set(destination, waitMs);
  const { standing } = state;
  if (!standing || !results.some(({ deadLettered }) => deadLettered !== undefined)) return;
  state.standing = { ...standing, attention: [...new Set([...standing.attention, 'unannounced' as const])] };
}
