import type { Advise, changedSince } from '../../src/destinations/announcements/advice.ts';
import type { AnnouncementInput } from '../../src/destinations/announcements/announcement-data.ts';
import type { LateRecord } from '../../src/destinations/announcements/late-record.ts';
import type { DestinationWatch } from '../../src/destinations/sending/destination-watch.ts';
import type { Receiver } from '../../src/destinations/sending/receiver.ts';
import type { Outbox } from '../../src/destinations/tables/outbox.ts';
import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import type { Operation } from '../../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { Deadlines } from '../../src/domain/deadlines/compute-deadline.ts';
import type { LeadTimes } from '../../src/domain/lifecycle/lead-times.ts';
import type { StageLimits } from '../../src/domain/lifecycle/stage-limits.ts';
import type { Announcement } from '../../src/domain/outgoing.ts';
import type { QuarantineReason } from '../../src/domain/quarantine.ts';
import type { Identity } from '../../src/domain/routing.ts';
import type { Tracing } from '../../src/domain/tracing.ts';
import type { ActivityFailures } from '../../src/subjects/tables/activity-failures.ts';
import type { Resources } from '../../src/subjects/tables/resources.ts';
import type { Subjects } from '../../src/subjects/tables/subjects.ts';
import type { Breaker } from '../../src/warehouse/breaker.ts';
import type { Flights } from '../../src/warehouse/client/flight.ts';
import type { Warehouse, WarehouseAnswer } from '../../src/warehouse/gets.ts';

/** For metrics. Times are milliseconds since the epoch. */
export interface ActivityObserver {
  /** Once for each event. */
  recorded(receivedAt: number): void;
  /** The answer may have been for others as well. */
  answered(answer: { readonly tenant: string; readonly operation: Operation; readonly isShared: boolean }): void;
  /** Only of orders and receipts. */
  closed(subject: SubjectRef, times: LeadTimes): void;
  sent(attempt: {
    readonly tenant: string;
    readonly destination: string;
    readonly outcome: 'delivered' | 'refused' | 'failed';
    readonly ms: number;
    readonly triedSince: number;
  }): void;
  deadLettered(tenant: string, destination: string): void;
}

export interface ActivityDeps {
  /** Counts events as those whose records are asked for, until it is disposed of. */
  readonly retrieving: (events: number) => Disposable;
  /** The client reports each answer to a GET. */
  readonly warehouseOf: (tenant: string, onAnswer: (answer: WarehouseAnswer) => void) => Warehouse;
  readonly flights: Flights;
  readonly observer?: ActivityObserver | undefined;
  readonly tracing?: Tracing | undefined;
  /** Takes an exchange that may go on after the activity that began it; whatever it needs stays open until it has ended. */
  readonly inBackground: (work: Promise<unknown>) => void;
  /**
   * Reports whether something that needs this many GETs may be done in a workflow's own task, where a call that hangs delays others: GETs if that is
   * enabled and the rate leaves room; nothing at a stop.
   */
  readonly mayInline: (tenant: string, gets: number) => boolean;
  readonly breaker: Breaker;
  readonly resources: Resources;
  /** As JSON text; undefined if the bytes of the delivery have no readable one. */
  readonly readPayload: (body: Uint8Array) => string | undefined;
  readonly inbox: {
    quarantine(eventIds: readonly string[], reason: QuarantineReason): Promise<void>;
    /** Returns an event with the bytes of its delivery, if that has the record which the event is about. */
    carrierOf(
      eventId: string,
    ): Promise<{ readonly event: Partial<WarehouseEvent>; readonly body: Uint8Array } | undefined>;
  };
  readonly subjects: Subjects;
  /** Absent if no order is ever too long in its stage. */
  readonly stageLimits?: StageLimits | undefined;
  /** Absent if nothing is ever due. */
  readonly deadlines?: Deadlines | undefined;
  readonly activityFailures: ActivityFailures;
  readonly outbox: Outbox;
  readonly lateRecord: LateRecord;
  readonly advise: Advise;
  readonly changedSince: typeof changedSince;
  /**
   * Returns a destination, as it was a moment ago unless it is to be the latest. @throws DocklineError `ERR_DESTINATION_UNKNOWN` if there is
   * none of that identity
   */
  readonly destinationOf: (
    tenant: string,
    identity: Identity,
    how?: { readonly isLatest: boolean },
  ) => Receiver | Promise<Receiver>;
  readonly destinationWatch: DestinationWatch;
  /** Of one attempt, in milliseconds. */
  readonly announceTimeoutMs: number;
  readonly compose: (input: AnnouncementInput) => Announcement;
  /** Age of a stored user or customer at which it is fetched again, in milliseconds. */
  readonly directoryMaxAgeMs: number;
  /** Time for which the GET of a user or a pick list may wait for its turn before announcements are made without it, in milliseconds. */
  readonly partWaitMs: number;
  /** Time for which the GET of a subject may fail before its events are announced with what their messages carry, in milliseconds. */
  readonly outageMs: number;
  /** Age of a report up to which the warehouse's reads may lag behind it, in milliseconds. */
  readonly readLagMs: number;
  /** Milliseconds after which an announcement is dead-lettered. */
  readonly announceForMs: number;
  /** Waits between attempts: after a failure that only a person can mend, and the longest `Retry-After` that is honored, in milliseconds. */
  readonly retry: {
    readonly slowMs: number;
    readonly retryAfterCapMs: number;
    /** From 0 to 1, for the jitter. Default: `Math.random`. */
    readonly random?: () => number;
  };
}
