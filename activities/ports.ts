import type { ResourceKind } from '../src/domain/enrichment.ts';
import type { Change, Lifecycle } from '../src/domain/lifecycle.ts';
import type { Snapshot } from '../src/domain/snapshot.ts';
import type { SubjectRef } from '../src/domain/subject.ts';

/** A subject as JSON text, with what the retrieval of others needs of it. */
export interface RetrievedSubject {
  readonly snapshot: Snapshot;
  /** Who changed it last; absent for the system itself. */
  readonly lastModifiedBy?: string;
  readonly body: string;
}

/**
 * The warehouse's API. Each call is one authenticated GET without retries; a failure is a `DocklineError` with an
 * `ERR_WAREHOUSE_` code.
 */
export interface Warehouse {
  /** An item is found by its customer. */
  getSubject(subject: SubjectRef & { readonly customerId?: string }, signal: AbortSignal): Promise<RetrievedSubject>;
  /** One line of an order as JSON text. */
  getOrderItem(orderId: string, orderItemId: string, signal: AbortSignal): Promise<string>;
  /** All lines of an order as JSON text, by their ids. */
  getOrderItems(orderId: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** The user as JSON text. */
  getUser(userId: string, signal: AbortSignal): Promise<string>;
  /** The customer as JSON text. */
  getCustomer(customerId: string, signal: AbortSignal): Promise<string>;
  /** The pick list of a pick job as JSON text. */
  getPickList(pickJobId: string, signal: AbortSignal): Promise<string>;
}

/** Says whether a warehouse can be asked at once, beside those whose turn it is on its task queue. */
export interface Offhand {
  /** Whether nothing speaks against it now: the process is alone, the pace leaves room, and the last such attempt succeeded. */
  isWelcome(tenant: string): boolean;
  /** An attempt failed; none is welcome for a while. */
  failed(tenant: string): void;
}

/** Where retrieved bodies are kept, the newest of each resource; bodies never enter a workflow's history. */
export interface Resources {
  put(tenant: string, kind: ResourceKind, id: string, body: string): Promise<void>;
  /** The newest body and its age in milliseconds. */
  find(
    tenant: string,
    kind: ResourceKind,
    id: string,
  ): Promise<{ readonly body: string; readonly ageMs: number } | undefined>;
}

/** The resources that came in messages; for some subjects they are all there is. */
export interface Payloads {
  /** The resource as JSON text; undefined where the event's message carried none or is not kept any more. */
  find(eventId: string): Promise<string | undefined>;
}

/** An announcement as it is signed and sent: its bytes never change once recorded. */
export interface Announcement {
  /** `order:9104:31004581/3/packed`. */
  readonly id: string;
  readonly revision: number;
  /** The CloudEvent, structured JSON. */
  readonly body: string;
}

/** What an earlier run left: where the subject stands, and the ids of announcements that were never acknowledged: those that still are to be sent, and those that were given up. */
export interface Recollection {
  readonly lifecycle: Lifecycle;
  readonly unsent: readonly string[];
  readonly parked: readonly string[];
}

/** The read model. It decides what a revision says: the first that is recorded stands. */
export interface Subjects {
  /**
   * Writes where a subject stands together with the announcements of its changes; the same again changes nothing. Where something
   * else was recorded under the first of these revisions, nothing is written, and that is returned.
   */
  record(
    subject: SubjectRef,
    lifecycle: Lifecycle,
    announcements: readonly Announcement[],
  ): Promise<Recollection | undefined>;
  /** What is known of a subject, or undefined for one never recorded. */
  recall(subject: SubjectRef): Promise<Recollection | undefined>;
}

/** Announcements between their recording and their acknowledgment. */
export interface Outbox {
  /** Those of the announcements that were not acknowledged yet, in the order of their ids as given. */
  unsent(ids: readonly string[]): Promise<readonly Announcement[]>;
  markSent(ids: readonly string[]): Promise<void>;
  /** Gives up those of the ids that were not acknowledged, and returns them. */
  park(ids: readonly string[], reason: string): Promise<readonly string[]>;
}

/** Sends one signed message; a failure is a `DocklineError` with an `ERR_DESTINATION_` code. */
export interface Destination {
  send(announcement: Announcement, signal: AbortSignal): Promise<void>;
}

/** What an announcement is composed of; resources are JSON text. */
export interface AnnouncementInput {
  readonly subject: SubjectRef;
  readonly change: Change;
  readonly lifecycle: Lifecycle;
  readonly resources: { readonly [K in ResourceKind]?: string };
}

/** Everything that the activities need; `src/` provides it. */
export interface ActivityDeps {
  readonly warehouseOf: (tenant: string) => Warehouse;
  readonly offhand: Offhand;
  readonly resources: Resources;
  readonly payloads: Payloads;
  readonly subjects: Subjects;
  readonly outbox: Outbox;
  readonly destinationOf: (tenant: string) => Destination;
  /** Composes the message that a change is announced with. */
  readonly compose: (input: AnnouncementInput) => Announcement;
  /** How old a stored user or customer may be before it is fetched again, in milliseconds. */
  readonly directoryMaxAgeMs: number;
  /** The waits between attempts that the kinds of failure ask for, in milliseconds. */
  readonly retry: { readonly slowMs: number; readonly retryAfterCapMs: number };
}
