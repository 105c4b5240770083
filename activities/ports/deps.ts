import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import type { Operation } from '../../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { Deadline, DeadlineFacts } from '../../src/domain/deadlines/deadline.ts';
import type { DocklineError, FailureCode } from '../../src/domain/errors.ts';
import type { LeadTimes } from '../../src/domain/lifecycle/lead-times.ts';
import type { StageLimits } from '../../src/domain/lifecycle/stage-limits.ts';
import type { QuarantineText } from '../../src/domain/quarantine.ts';
import type { Identity, IdentityRef, Routable } from '../../src/domain/routing.ts';
import type { Tracing } from '../../src/domain/tracing.ts';
import type { Announcement, LateRecord, Outbox, Receiver } from './announcing.ts';
import type { AnnouncementInput, StoredDestination, Subjects } from './recording.ts';
import type { Flights, Resources, Warehouse, WarehouseAnswer } from './retrieval.ts';

/** Decides which activities may be tried inline, in a workflow's own task, where a call that hangs delays others. */
export interface Inline {
  /** Reports whether GETs may be tried: the process is alone, the rate leaves room, and the last attempt succeeded. */
  mayRetrieve(tenant: string): boolean;
  /** Reports whether announcing to a destination may be tried: the last attempt succeeded. */
  mayAnnounce(tenant: string, destination: string): boolean;
  /** Begins a cooldown after GETs have failed. */
  retrievalFailed(tenant: string): void;
  /** Begins a cooldown after an attempt to announce has failed. */
  announcingFailed(tenant: string, destination: string): void;
}

/** Operation of one tenant's warehouse. */
interface Circuit {
  readonly tenant: string;
  readonly operation: Operation;
}

/** Circuit breaker: an operation that fails for every subject is left out without asking for each of them. */
export interface Breaker {
  /** Returns why an operation is not to be called now; undefined if it may be. */
  reason(circuit: Circuit): string | undefined;
  /** Notes a failure; reports whether the operation is not to be called for a while. */
  failed(circuit: Circuit, failure: DocklineError): boolean;
  succeeded(circuit: Circuit): void;
}

/** Activity for a subject that fails and is retried. Times are milliseconds since the epoch. */
export interface Trouble {
  /** Operation that failed (`getOrder`), or `announce`. */
  readonly operation: string;
  readonly since: number;
  readonly attempts: number;
  readonly error: string;
  /** Code of the failure; absent for one without. */
  readonly code?: FailureCode;
  /** HTTP status of the answer, or reply code of a broker; absent if there was none. */
  readonly status?: number;
  /** Time of the last failure. */
  readonly at: number;
  readonly nextTryAt: number;
}

/** Failing activities, for people to see without asking Temporal. */
export interface Troubles {
  note(
    subject: SubjectRef,
    activity: 'retrieving' | 'announcing',
    trouble: Pick<Trouble, 'operation' | 'error' | 'code' | 'status' | 'nextTryAt'>,
  ): Promise<void>;
  end(subject: SubjectRef, activity: 'retrieving' | 'announcing'): Promise<void>;
}

/** Notes of how destinations are, by their identities, which may stop one that accepts nothing any more. */
export interface DestinationWatch {
  /**
   * Takes one of the places that attempts to a destination have in this process; one that fails has few. Returns the function that gives it
   * back; undefined if none is free.
   */
  enter(destination: IdentityRef): (() => void) | undefined;
  /** Notes that a destination has failed, whatever was sent to it. */
  failed(destination: IdentityRef, error: unknown): Promise<void>;
  /** Notes that it has answered as it should, be it with a rejection. */
  succeeded(destination: IdentityRef): Promise<void>;
}

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
  readonly troubles: Troubles;
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
