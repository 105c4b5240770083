export type {
  AdjustmentAdvice,
  AdviceOf,
  AssemblyAdvice,
  HoldAdvice,
  ItemAdvice,
  OrderAdvice,
  ReceiptAdvice,
  StockAdvice,
} from './advice.ts';
export type {
  Announcement,
  AnnouncementData,
  Json,
  Kind,
  KnownAnnouncement,
  Milestone,
  RecordName,
  UnknownAnnouncement,
} from './announcement.ts';
export { AnnouncementError, type AnnouncementErrorCode } from './announcement-error.ts';
export { bytesOf, type RequestBody } from './body.ts';
export { type Answer, type Consumer, type ConsumerOptions, createConsumer } from './consumer.ts';
export { type FetchOptions, fetchMissing } from './fetch-missing.ts';
export type { RequestHeaders } from './headers.ts';
export { createMemoryStore } from './memory-store.ts';
export type { Stage } from './milestones.ts';
export { parse, parseRequest } from './parse.ts';
export type { Snapshot, StockLevels } from './snapshot.ts';
export type { Position, Store } from './store.ts';
export { type Gap, type Handler, type Outcome, type TakeOptions, take } from './take.ts';
export { createVerifier, type Verifier, type VerifierOptions } from './verify.ts';
