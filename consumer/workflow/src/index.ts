export type {
  AnnouncementData,
  Json,
  Kind,
  KnownAnnouncement,
  Milestone,
  RecordName,
  Snapshot,
  Stage,
  StockLevels,
} from '../../src/announcement.ts';
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
