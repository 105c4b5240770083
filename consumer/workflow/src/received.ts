import type { Announcement } from '../../src/announcement.ts';
import { placeOf } from '../../src/place.ts';
import type { SentAnnouncement } from './signal.ts';
import { stand } from './standing.ts';

/** Announcements that a workflow has received of its subject. It is JSON, so that a run can hand it to the next one. */
export interface Received {
  /** Key of the subject; null until its first announcement. */
  readonly subject: string | null;
  /** Revision of the last announcement that was taken; 0 if none was. */
  readonly last: number;
  /** Newest announcement of each milestone that was reached and not taken back, in the order of the subject. */
  readonly standing: readonly SentAnnouncement[];
  /** Announcements that came early, in the order of the subject: one before them is missing. */
  readonly early: readonly Announcement[];
}

/** Nothing was received yet. */
export const nothing: Received = { subject: null, last: 0, standing: [], early: [] };

/** Result of an announcement. */
export interface Step {
  readonly received: Received;
  /** `foreign` is an announcement of another subject. */
  readonly outcome: 'taken' | 'duplicate' | 'early' | 'foreign';
  /** Announcements by which milestones were reached, in order: of an early one, those that waited for it as well. */
  readonly reached: readonly SentAnnouncement[];
}

/** Takes an announcement if it is the next one of its subject, and those that waited for it; keeps it if it is early. */
export function take(received: Received, announcement: Announcement): Step {
  const { subject, revision } = placeOf(announcement);
  if (subject !== (received.subject ?? subject)) return { received, outcome: 'foreign', reached: [] };
  const isKnown = revision <= received.last || received.early.some((it) => placeOf(it).revision === revision);
  if (isKnown) return { received, outcome: 'duplicate', reached: [] };
  const early = [...received.early, announcement].sort((a, b) => placeOf(a).revision - placeOf(b).revision);
  const step = takeWhatFollows({ ...received, subject, early });
  return { ...step, outcome: step.received.last >= revision ? 'taken' : 'early' };
}

/** Takes the early announcements although some before them are missing, which are then never taken. */
export function acceptGap(received: Received): Step {
  const [first] = received.early;
  const last = first ? placeOf(first).previous : received.last;
  return { ...takeWhatFollows({ ...received, last }), outcome: 'taken' };
}

function takeWhatFollows(received: Received): Omit<Step, 'outcome'> {
  let { last, standing } = received;
  const early = [...received.early];
  const reached: SentAnnouncement[] = [];
  for (let next = early[0]; next && placeOf(next).previous <= last; next = early[0]) {
    early.shift();
    last = placeOf(next).revision;
    // A type of a later Dockline has its place in the order and no milestone that this version knows.
    if (next.type === 'unknown') continue;
    const now = stand(standing, next);
    if (!now) continue;
    standing = now;
    reached.push(next);
  }
  return { received: { ...received, last, standing, early }, reached };
}
