import type { AnnouncementInput } from '../../src/destinations/announcements/announcement-input.ts';
import type { LateRecord } from '../../src/destinations/announcements/late-record.ts';
import type { DestinationWatch } from '../../src/destinations/sending/destination-watch.ts';
import type { Receiver } from '../../src/destinations/sending/receiver.ts';
import type { Outbox } from '../../src/destinations/tables/outbox.ts';
import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import type { Operation } from '../../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { Deadline, DeadlineFacts } from '../../src/domain/deadlines/deadline.ts';
import type { StoredDestination } from '../../src/domain/decision.ts';
import type { LeadTimes } from '../../src/domain/lifecycle/lead-times.ts';
import type { StageLimits } from '../../src/domain/lifecycle/stage-limits.ts';
import type { Announcement } from '../../src/domain/outgoing.ts';
import type { QuarantineText } from '../../src/domain/quarantine.ts';
import type { Identity, Routable } from '../../src/domain/routing.ts';
import type { Tracing } from '../../src/domain/tracing.ts';
import type { ActivityFailures } from '../../src/subjects/tables/activity-failures.ts';
import type { Resources } from '../../src/subjects/tables/resources.ts';
import type { Subjects } from '../../src/subjects/tables/subjects.ts';
import type { Breaker } from '../../src/warehouse/breaker.ts';
import type { Flights } from '../../src/warehouse/flights.ts';
import type { Warehouse, WarehouseAnswer } from '../../src/warehouse/gets.ts';
import type { Inline } from '../../src/warehouse/inline.ts';

/** Receives what activities do, for metrics. Times are milliseconds since the epoch. */
export interface ActivityObserver {
  /** Notified of each event that was recorded. */
  recorded(receivedAt: number): void;
  /** Notified of each answer that a retrieval got, which may have been for others as well. */
  answered(answer: { readonly tenant: string; readonly operation: Operation; readonly isShared: boolean }): void;
  /** Notified of each order and receipt that is closed. */
  closed(subject: SubjectRef, times: LeadTimes): void;
  /** Notified of each attempt to send an announcement, with its duration in milliseconds. */
  sent(attempt: {
    readonly tenant: string;
    readonly destination: string;
    readonly outcome: 'delivered' | 'refused' | 'failed';
    readonly ms: number;
    readonly triedSince: number;
  }): void;
  deadLettered(tenant: string, destination: string): void;
}

/** Rules by which subjects are due. */
export interface Deadlines {
  /** Returns the fingerprint of the rules for a subject's kind and tenant; empty if there are none. */
  rulesOf(subject: SubjectRef): string;
  /** Returns when a subject is due, by what is known of it and its record as JSON text; undefined if no rule matches. */
  find(
    subject: SubjectRef,
    known: Pick<DeadlineFacts, 'customerId' | 'createdAt'>,
    record: string | undefined,
  ): Deadline | undefined;
}

/** Dependencies of the activities; `src/` provides them. */
export interface ActivityDeps {
  /** Returns the client of a tenant, which reports each answer to a GET. */
  /** Counts events as those whose records are asked for, until it is disposed of. */
  readonly retrieving: (events: number) => Disposable;
  readonly warehouseOf: (tenant: string, onAnswer: (answer: WarehouseAnswer) => void) => Warehouse;
  readonly flights: Flights;
  readonly observer?: ActivityObserver | undefined;
  readonly tracing?: Tracing | undefined;
  /** Takes an exchange that may go on after the activity that began it; whatever it needs stays open until it has ended. */
  readonly inBackground: (work: Promise<unknown>) => void;
  readonly inline: Inline;
  readonly breaker: Breaker;
  readonly resources: Resources;
  /** Returns the resource in the bytes of a delivery as JSON text; undefined if there is no readable one. */
  readonly readPayload: (body: Uint8Array) => string | undefined;
  readonly inbox: {
    quarantine(eventIds: readonly string[], reason: QuarantineText): Promise<void>;
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
  /** Timeout of one attempt to announce, in milliseconds. */
  readonly announceTimeoutMs: number;
  /** Returns the identities of the destinations that a change goes to: of those that are configured, and of those in the store. */
  readonly route: (tenant: string, stored: readonly StoredDestination[], change: Routable) => readonly string[];
  /** Composes the announcement of a change. */
  readonly compose: (input: AnnouncementInput) => Announcement;
  /** Maximum age of a stored user or customer before it is fetched again, in milliseconds. */
  readonly directoryMaxAgeMs: number;
  /** Time for which the GET of a user or a pick list may wait for its turn before announcements are made without it, in milliseconds. */
  readonly partWaitMs: number;
  /** Time for which the GET of a subject may fail before its events are announced with what their messages carry, in milliseconds. */
  readonly outageMs: number;
  /** Age of a report up to which the warehouse's reads may lag behind it, in milliseconds. */
  readonly readLagMs: number;
  /** Time after which an announcement is dead-lettered, in milliseconds. */
  readonly announceForMs: number;
  /** Waits between attempts: after a failure that only a person can mend, and the longest `Retry-After` that is honored, in milliseconds. */
  readonly retry: {
    readonly slowMs: number;
    readonly retryAfterCapMs: number;
    /** Returns a number from 0 to 1, for the jitter. Default: `Math.random`. */
    readonly random?: () => number;
  };
}
