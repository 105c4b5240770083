export type {
  AnnouncementData,
  Json,
  Kind,
  KnownAnnouncement,
  Milestone,
  RecordName,
} from '../../src/announcement.ts';
export type { Stage } from '../../src/milestones.ts';
export type { Snapshot, StockLevels } from '../../src/snapshot.ts';
export {
  type AnnouncementOf,
  type Duration,
  type ReceiveOptions,
  type Receiver,
  receive,
  type UntilOptions,
} from './receive.ts';
export type { Received } from './received.ts';
export { announcementSignal, type SentAnnouncement, type Subject } from './signal.ts';
