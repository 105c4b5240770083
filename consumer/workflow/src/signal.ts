import { defineSignal, type SignalDefinition } from '@temporalio/workflow';
import type { Announcement, Kind, UnknownAnnouncement } from '../../src/announcement.ts';

/** Argument of a workflow that an announcement starts. */
export interface Subject {
  /** Warehouse account. */
  readonly tenant: string;
  readonly kind: Kind;
  readonly id: string;
}

/** Announcement as it is sent. A later Dockline may send other types, so have a default. */
export type SentAnnouncement = Exclude<Announcement, UnknownAnnouncement>;

/** Name of the signal, unless the destination has another. */
export const DEFAULT_SIGNAL = 'dockline';

/** Defines the signal by which announcements arrive, for a handler of your own. */
export const announcementSignal = (name: string = DEFAULT_SIGNAL): SignalDefinition<[SentAnnouncement]> =>
  defineSignal(name);
