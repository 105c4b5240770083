import type { ResourceKind, ResourceSource } from '../../src/domain/catalogue/enrichment.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { Deadline } from '../../src/domain/deadlines/deadline.ts';
import type { SavedSubject } from '../../src/domain/lifecycle/attention.ts';
import type { Change, Lifecycle } from '../../src/domain/lifecycle/lifecycle.ts';
import type { OutgoingIds } from '../../src/domain/outgoing.ts';
import type { DestinationFilter, Identity } from '../../src/domain/routing.ts';
import type { Announcement, Lease } from './announcing.ts';
import type { Resources } from './retrieval.ts';

/** Row of the inbox that waits to be observed, or has just been. */
export interface WaitingEvent {
  /** Dedupe key. */
  readonly id: string;
  /** `WarehouseEvent` as JSON. */
  readonly json: string;
}

/** Waiting event with the time at which it was received, in milliseconds since the epoch. */
export type ReceivedEvent = WaitingEvent & { readonly receivedAt: number };

/** Subject within the transaction that records it. */
export interface Recording {
  /** Undefined if it was never recorded. */
  readonly saved: SavedSubject | undefined;
  /** Those of the requested events that were not observed before, in the order of the inbox. */
  readonly events: readonly WaitingEvent[];
  readonly resources: Resources;
  /** Returns the bytes of the delivery that reported an event; undefined if they are not stored. */
  bodyOf(eventId: string): Promise<Uint8Array | undefined>;
  /** Destinations of its tenant that the store knows. */
  readonly destinations: readonly StoredDestination[];
  /** Ids of its earlier announcements that are to be sent now, in order; empty where no destination was ever paused. */
  readonly earlier: OutgoingIds;
  /** Returns the announcements that were recorded before the customer of the subject was known, oldest first. */
  unrouted(): Promise<readonly Unrouted[]>;
  /** Reports whether any of its announcements is a dead letter. */
  hasDeadLetters(): Promise<boolean>;
}

/** Destination that was added while Dockline runs, or the state of one that is configured. */
export interface StoredDestination {
  readonly id: Identity;
  readonly name: string;
  /** Changes that it wants; null for one that is configured. */
  readonly filter: DestinationFilter | null;
  /** Nothing is sent to it for now. */
  readonly isPaused: boolean;
}

/** Announcement that was recorded before the customer of its subject was known. */
export interface Unrouted {
  readonly id: string;
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  readonly body: string;
}

/** Announcement with the identities of the destinations that it goes to. */
export type Routed<T> = T & { readonly destinations: readonly string[] };

/** State and announcements to write for a subject. */
export interface Decision {
  readonly saved: SavedSubject;
  readonly announcements: readonly Routed<
    Announcement & {
      /** The change as a line of the timeline. */
      readonly summary: string;
      /** Customer of the subject after the change; null while that is unknown. */
      readonly customerId: string | null;
    }
  >[];
  /** If the customer has just become known: earlier announcements with the destinations that only this customer's go to, and bodies that replace theirs. */
  readonly late?: readonly Routed<Omit<Unrouted, 'body'> & { readonly body?: string }>[] | undefined;
  /** Returns the time for which this process leases what goes to a destination, in milliseconds; undefined if it does not. */
  readonly leaseMsOf?: ((destination: string) => number | undefined) | undefined;
  /** Customers of the events that were observed, by the ids of those whose customer is known. */
  readonly customersOfEvents?: ReadonlyMap<string, string> | undefined;
  /** Everything that was to be fetched was fetched, or refused for good. */
  readonly retrieved: boolean;
}

/** Store of subjects. It decides once: a recorded event is never computed again. */
export interface Subjects {
  /** Loads the saved state of a subject, and the oldest events that wait for it. */
  load(
    subject: SubjectRef,
    limit: number,
  ): Promise<{ readonly saved: SavedSubject | undefined; readonly events: readonly ReceivedEvent[] }>;
  /**
   * Marks events as observed and writes the decision about them, in one transaction that locks the subject. `waiting` names the
   * events that wait for it afterwards; `leases` are those of its announcements; `receivedAt` has the time at which each of the
   * observed events was received, in milliseconds since the epoch.
   */
  record<T extends Decision>(
    subject: SubjectRef,
    eventIds: readonly string[],
    decide: (recording: Recording) => Promise<T>,
  ): Promise<{
    readonly decision: T;
    readonly leases: readonly Lease[];
    readonly waiting: readonly string[];
    readonly receivedAt: readonly number[];
  }>;
  /** Allows the workflow to be woken again, unless events wait for it; returns the names of those. */
  settle(subject: SubjectRef): Promise<readonly string[]>;
  /** Returns the newest lines of the timeline after a revision, oldest first. */
  since(subject: SubjectRef, revision: number): Promise<readonly string[]>;
  /** Returns the ids of the announcements to send, in their order. */
  unsent(subject: SubjectRef): Promise<OutgoingIds>;
  /** Returns once the names of the destinations for which somebody has ended the wait for the next attempt. */
  takeHurries(subject: SubjectRef): Promise<readonly string[]>;
}

/** Record that an announcement is about, as JSON text. */
export interface OwnRecord {
  readonly body: string;
  readonly from: ResourceSource;
}

/** Records that an announcement embeds, as JSON text. */
export interface Embedded {
  readonly resources: { readonly [K in ResourceKind]?: string };
  /** Source of the record that it is about; null if there is none. */
  readonly resourceFrom: ResourceSource | null;
  /** Records that belong to it and could not be had. */
  readonly missing: readonly ResourceKind[];
}

/** Change to announce, with the records to embed. */
export interface AnnouncementInput extends Embedded {
  readonly subject: SubjectRef;
  readonly change: Change;
  readonly lifecycle: Lifecycle;
  /** Time by which the subject is to be done; undefined if no rule matches. */
  readonly deadline?: Deadline | undefined;
  /** Trace of the recording, as a W3C `traceparent`; absent without traces. */
  readonly trace?: string | undefined;
}
