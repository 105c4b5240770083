import type { WarehouseEvent } from './catalogue/event.ts';
import type { QuarantineReason } from './quarantine.ts';

/** Accepted delivery: an event, or the reason of its quarantine. */
export interface Entry {
  readonly eventId: string;
  readonly endpoint: string;
  readonly tenant: string;
  /** Shared by all events of a subject, such as `order:9104:31004581`; absent in quarantine. */
  readonly subjectKey?: string;
  readonly event?: WarehouseEvent;
  readonly quarantineReason?: QuarantineReason;
  readonly receivedAt: number;
  /** As received, or gzipped. */
  readonly body: Uint8Array;
  /** Before gzip; absent if the body is stored as received. */
  readonly uncompressedBytes?: number;
  /** Each an event or a reason; the entry itself then only keeps the body. */
  readonly rows?: readonly Entry[];
}
