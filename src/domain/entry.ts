import type { WarehouseEvent } from './catalogue/event.ts';
import type { QuarantineReason } from './quarantine.ts';

/** Accepted delivery: an event with the key of its subject, or the reason why it is quarantined. */
export interface Entry {
  /** Dedupe key. */
  readonly eventId: string;
  readonly endpoint: string;
  readonly tenant: string;
  /** Key that all events of a subject share, such as `order:9104:31004581`; absent for a quarantined delivery. */
  readonly subjectKey?: string;
  readonly event?: WarehouseEvent;
  readonly quarantineReason?: QuarantineReason;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Body as it was received, or gzipped. */
  readonly body: Uint8Array;
  /** Before gzip; absent if the body is stored as received. */
  readonly uncompressedBytes?: number;
  /** Each with an event or a reason; the entry itself then has neither and only keeps the body. */
  readonly rows?: readonly Entry[];
}
