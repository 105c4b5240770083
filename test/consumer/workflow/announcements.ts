import type { SentAnnouncement } from '../../../consumer/workflow/src/signal.ts';
import { asSent } from '../../../src/destinations/announcements/announced-data.ts';
import { createAnnouncement } from '../../../src/destinations/announcements/cloud-event.ts';
import type { SubjectRef } from '../../../src/domain/catalogue/subject.ts';
import type { Change } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { packed } from '../../destinations/announcements/announcements.ts';

/** Deviations from an announcement in time. */
export interface Deviations extends Partial<Pick<Change, 'late' | 'cause' | 'time'>> {
  readonly subject?: SubjectRef;
  /** Default: the revision before. */
  readonly previous?: number | null;
  readonly isReplay?: boolean;
  readonly orderItemId?: string;
  /** The order as the warehouse returned it, as JSON. */
  readonly order?: string;
}

/** Composes an announcement as Dockline sends it. */
export function announcementOf(
  revision: number,
  milestone: Milestone,
  { subject = packed.subject, previous = revision - 1 || null, isReplay = false, ...others }: Deviations = {},
): SentAnnouncement {
  const { late = false, cause = 'event', time = revision * 1000, orderItemId, order } = others;
  const event = {
    id: `9104:${revision}`,
    name: 'OrderUpdate',
    milestone,
    time,
    plan: [],
    ...(orderItemId && { orderItemId }),
  };
  const announcement = createAnnouncement({
    ...packed,
    subject,
    change: { revision, milestone, time, cause, late, event },
    resources: order === undefined ? {} : { order },
  });
  return JSON.parse(asSent({ ...announcement, previous, isReplay }).body);
}
