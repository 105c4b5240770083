import { type Announcement, type AnnouncementData, recordNames } from '../../src/announcement.ts';
import type { Received } from './received.ts';

/** Returns what a run hands to the next one: announcements without their records, which may be larger than Temporal lets a run hand on. */
export const handedOn = (received: Received): Received => ({
  ...received,
  standing: received.standing.map((it) => withoutRecords(it)),
  early: received.early.map((it) => withoutRecords(it)),
});

function withoutRecords<A extends Announcement>(announcement: A): A {
  const data = announcement.data as Partial<AnnouncementData> | null;
  const records = recordNames.filter((name) => (data?.[name] ?? null) !== null);
  if (records.length === 0) return announcement;
  const missing = [...(data?.missing ?? []), ...records];
  return { ...announcement, data: { ...data, ...Object.fromEntries(records.map((name) => [name, null])), missing } };
}
