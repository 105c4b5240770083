import { catalogue } from '../domain/catalogue/catalogue.ts';
import type { SubjectKind } from '../domain/catalogue/subject.ts';
import type { Milestone } from '../domain/lifecycle/milestone.ts';

/** Milestones that no event reports: the record shows them, or the clock. */
const withoutEvent: readonly (readonly [SubjectKind, Milestone])[] = [
  ['order', 'allocationLost'],
  ['order', 'stalled'],
  ['order', 'resumed'],
  ['item', 'deactivated'],
  ['item', 'reactivated'],
];

/** Types of announcements, sorted: `dockline.order.packed`. */
export const announcementTypes: readonly string[] = [
  ...new Set(
    [
      ...catalogue.map(({ subject, milestone }) => [subject === 'orderItem' ? 'order' : subject, milestone] as const),
      ...withoutEvent,
    ].map(([kind, milestone]) => `dockline.${kind}.${milestone}`),
  ),
].sort();
