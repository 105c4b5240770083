import type { Advise, AnnouncedRecord, changedSince } from '../../src/destinations/announcements/advice.ts';
import type { AnnouncementInput } from '../../src/destinations/announcements/announcement-data.ts';
import type { DestinationWatch } from '../../src/destinations/sending/destination-watch.ts';
import type { Receiver } from '../../src/destinations/sending/sending.ts';
import type { Outbox } from '../../src/destinations/tables/outbox.ts';
import type { StageLimits } from '../../src/domain/lifecycle/stage.ts';
import type { Announcement } from '../../src/domain/outgoing.ts';
import type { Identity } from '../../src/domain/routing.ts';
import type { Tracing } from '../../src/domain/tracing.ts';
import type { InboxRows } from '../../src/inbox/tables/inbox-rows.ts';
import type { Deadlines } from '../../src/subjects/deadlines.ts';
import type { ActivityFailures } from '../../src/subjects/tables/activity-failures.ts';
import type { Resources } from '../../src/subjects/tables/resources.ts';
import type { Subjects } from '../../src/subjects/tables/subjects.ts';
import type { Breaker } from '../../src/warehouse/breaker.ts';
import type { Flights } from '../../src/warehouse/client/flight.ts';
import type { WarehouseAnswer } from '../../src/warehouse/gets.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';

export interface ActivityObserver {
  recorded(receivedAt: number): void;
  sent(attempt: {
    readonly tenant: string;
    readonly outcome: 'delivered' | 'refused' | 'failed';
    readonly ms: number;
    readonly triedSince: number;
  }): void;
  deadLettered(tenant: string): void;
}

export interface ActivityDeps {
  /** Counts events as being retrieved, until disposed of. */
  readonly retrieving: (events: number) => Disposable;
  readonly warehouseOf: (tenant: string, onAnswer: (answer: WarehouseAnswer) => void) => Warehouse;
  readonly flights: Flights;
  readonly observer?: ActivityObserver | undefined;
  readonly tracing?: Tracing | undefined;
  /** Takes work that may outlast its activity; what it needs stays open until it has ended. */
  readonly inBackground: (work: Promise<unknown>) => void;
  /**
   * Reports whether work with this many GETs may be done in a workflow's own task, where a call that hangs delays
   * others: if enabled and the rate leaves room, and not at a stop.
   */
  readonly mayInline: (tenant: string, gets: number) => boolean;
  readonly breaker: Breaker;
  readonly resources: Resources;
  /** Returns JSON text; undefined if the body has no readable one. */
  readonly readPayload: (body: Uint8Array) => string | undefined;
  readonly inbox: Pick<InboxRows, 'quarantine'>;
  readonly subjects: Subjects;
  readonly stageLimits?: StageLimits | undefined;
  readonly deadlines: Deadlines;
  readonly activityFailures: ActivityFailures;
  readonly outbox: Outbox;
  readonly announcedRecord: AnnouncedRecord;
  readonly advise: Advise;
  readonly changedSince: typeof changedSince;
  /** Cached for a moment unless the latest is asked for. @throws DocklineError `ERR_DESTINATION_UNKNOWN` */
  readonly destinationOf: (
    tenant: string,
    identity: Identity,
    how?: { readonly isLatest: boolean },
  ) => Receiver | Promise<Receiver>;
  readonly destinationWatch: DestinationWatch;
  readonly announceTimeoutMs: number;
  readonly compose: (input: AnnouncementInput) => Announcement;
  /** Time that the GET of a user or a pick list may wait for its turn before announcements do without it. */
  readonly partWaitMs: number;
  /** Time that a subject's GET may fail before its events are announced with what their messages carry. */
  readonly outageMs: number;
  /** Time by which the warehouse's reads may lag behind its reports. */
  readonly readLagMs: number;
  readonly announceForMs: number;
  /** `slowMs`: after a failure that only a person can repair. `retryAfterCapMs`: longest `Retry-After` that is honored. */
  readonly retry: {
    readonly slowMs: number;
    readonly retryAfterCapMs: number;
    /** From 0 to 1, for the jitter. */
    readonly random?: () => number;
  };
}
