import { withoutSubject } from '../../domain/catalogue/subject.ts';
import type { ListedAnnouncement } from '../ports.ts';
import type { Delivery } from './ports.ts';

/** Entry of a subject's timeline. */
export type Entry = { readonly at: number } & (
  | { readonly type: 'delivery'; readonly delivery: Delivery }
  | { readonly type: 'announcement'; readonly announcement: ListedAnnouncement; readonly milestone: string }
  | { readonly type: 'workflow'; readonly text: string }
);

/** Joins what was received, retrieved and announced, the newest first. What the workflow tells of announcements is in them. */
export function chronicleOf({
  deliveries,
  announcements,
  lines,
}: {
  readonly deliveries: readonly Delivery[];
  readonly announcements: readonly ListedAnnouncement[];
  /** Lines of the workflow's timeline, in Markdown. */
  readonly lines: readonly string[];
}): readonly Entry[] {
  const entries: Entry[] = [
    ...deliveries.map((delivery) => ({ type: 'delivery' as const, at: delivery.receivedAt, delivery })),
    ...announcements.map((announcement) => ({
      ...{ type: 'announcement' as const, at: announcement.createdAt, announcement },
      milestone: withoutSubject(announcement.id).split('/').slice(1).join('/'),
    })),
    ...lines.flatMap((line) => {
      const [, time = '', text = ''] = /^- `([^`]+)` ((?:fetched|failed) .*)$/s.exec(line) ?? [];
      return text === '' ? [] : [{ type: 'workflow' as const, at: Date.parse(time), text }];
    }),
  ];
  return entries.sort((a, b) => b.at - a.at);
}
