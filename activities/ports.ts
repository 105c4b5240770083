import type { ResourceKind } from '../src/domain/catalogue/enrichment.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { SavedSubject } from '../src/domain/lifecycle/attention.ts';
import type { Change, Lifecycle } from '../src/domain/lifecycle/lifecycle.ts';
import type { Snapshot } from '../src/domain/lifecycle/snapshot.ts';

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

/** Says what may be tried within a workflow's own task, where a call that hangs holds up others. */
export interface Inline {
  /** Whether a tenant's warehouse may be asked: the process is alone, the pace leaves room, and the last attempt succeeded. */
  mayRetrieve(tenant: string): boolean;
  /** Whether a tenant's destination may be sent to: the last attempt succeeded. */
  mayAnnounce(tenant: string): boolean;
  /** An attempt failed; none like it is made for a while. */
  failed(tenant: string, activity: 'retrieve' | 'announce'): void;
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

/** An announcement as it is signed and sent: its bytes never change once recorded. */
export interface Announcement {
  /** `order:9104:31004581/3/packed`. */
  readonly id: string;
  readonly revision: number;
  /** The CloudEvent, structured JSON. */
  readonly body: string;
}

/** A row of the inbox that waits to be observed, or has just been. */
export interface WaitingEvent {
  /** The dedupe key. */
  readonly id: string;
  /** A `WarehouseEvent` as JSON. */
  readonly json: string;
}

/** A subject within the transaction that records it. */
export interface Recording {
  /** Undefined for one that was never recorded. */
  readonly saved: SavedSubject | undefined;
  /** Those of the events asked for that were not observed before, in the order of the inbox. */
  readonly events: readonly WaitingEvent[];
  readonly resources: Resources;
  /** The bytes of the delivery that told of an event; undefined where there was none or it is not kept any more. */
  bodyOf(eventId: string): Promise<Uint8Array | undefined>;
}

/** What is written of a subject. */
export interface Decision {
  readonly saved: SavedSubject;
  readonly announcements: readonly (Announcement & {
    /** The change as a line of the timeline. */
    readonly summary: string;
  })[];
  /** How long the announcements are this process's to send, in milliseconds; absent where others may begin at once. */
  readonly leaseMs?: number | undefined;
  /** Whether everything that was to be fetched was, or refused for good. */
  readonly retrieved: boolean;
}

/** Where subjects stand. The store decides, once: what is recorded of an event is never computed again. */
export interface Subjects {
  /** Where a subject stands and the oldest events that wait for it. */
  load(
    subject: SubjectRef,
    limit: number,
  ): Promise<{ readonly saved: SavedSubject | undefined; readonly events: readonly WaitingEvent[] }>;
  /**
   * Makes events observed and writes what is decided from them, all or nothing; nobody else records the subject meanwhile.
   * `waiting` names events that wait for it then; `leasedUntil` is the lease of its announcements.
   */
  record<T extends Decision>(
    subject: SubjectRef,
    eventIds: readonly string[],
    decide: (recording: Recording) => Promise<T>,
  ): Promise<{ readonly decision: T; readonly leasedUntil: Lease['leasedUntil']; readonly waiting: readonly string[] }>;
  /** Forgets that its workflow was woken, unless events wait for it, whose names are returned. */
  settle(subject: SubjectRef): Promise<readonly string[]>;
  /** The newest lines of its timeline after a revision, oldest first. */
  since(subject: SubjectRef, revision: number): Promise<readonly string[]>;
  /** The ids of its announcements that are to be sent, in their order. */
  unsent(subject: SubjectRef): Promise<readonly string[]>;
}

/** An activity for a subject that fails and is retried. Times are milliseconds since the epoch. */
export interface Trouble {
  /** The operation that failed (`getOrder`), or `announce`. */
  readonly operation: string;
  readonly since: number;
  readonly attempts: number;
  readonly error: string;
  readonly nextTryAt: number;
}

/** Tells operators what fails, without asking Temporal. */
export interface Troubles {
  note(
    subject: SubjectRef,
    activity: 'retrieving' | 'announcing',
    trouble: Pick<Trouble, 'operation' | 'error' | 'nextTryAt'>,
  ): Promise<void>;
  end(subject: SubjectRef, activity: 'retrieving' | 'announcing'): Promise<void>;
}

/** How a destination answered: the status of HTTP, null where there was none, and how long that took, in milliseconds. */
export interface DestinationAnswer {
  readonly status: number | null;
  readonly ms: number;
}

/** What became of an announcement in the end. */
export interface AnnouncementResult {
  readonly id: string;
  /** Of the last answer; null where there was none. */
  readonly status: number | null;
  readonly ms: number | null;
  readonly attempts: number;
  /** Why it was given up. */
  readonly deadLettered?: string;
}

/** Lease of an announcement. */
export interface Lease {
  readonly id: string;
  /** End of the lease, which also identifies it; null if the announcement was not leased. */
  readonly leasedUntil: number | null;
}

/** An announcement that nobody else sends now. */
export interface LeasedAnnouncement extends Announcement, Lease {
  /** From when on it counts how long it fails, in milliseconds since the epoch. */
  readonly triedSince: number;
  /** How often it was sent before. */
  readonly attempts: number;
}

/** Announcements between their recording and their acknowledgment. */
export interface Outbox {
  /** Has an announcement to itself for a while; `leased` where another has it, undefined where it is not to be sent any more. */
  lease(id: string, forMs: number): Promise<LeasedAnnouncement | 'leased' | undefined>;
  /** Ends leases, unless they expired and others hold the announcements by now. */
  release(leases: readonly Lease[]): Promise<void>;
  /** Ends the lease: the destination has acknowledged the announcement. */
  sent(id: string, answer: DestinationAnswer): Promise<void>;
  /** Counts a failed attempt and ends its lease, unless that expired and another holds the announcement by now. */
  failed(lease: Lease, answer: DestinationAnswer & { readonly error: string }): Promise<void>;
  /** Gives an announcement up that was not acknowledged, and marks its subject. */
  deadLetter(id: string, reason: string): Promise<void>;
  /** Those of the announcements that were acknowledged or given up, in their order. */
  results(ids: readonly string[]): Promise<readonly AnnouncementResult[]>;
}

/** Sends one signed message and returns the status of the answer; a failure is a `DocklineError` with an `ERR_DESTINATION_` code. */
export interface Destination {
  send(announcement: Announcement, signal: AbortSignal): Promise<number>;
  /** How long an exchange takes at most, in milliseconds. */
  readonly timeoutMs: number;
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
  /** Tells of each answer to a GET: its status, and how long it took, in milliseconds. */
  readonly warehouseOf: (
    tenant: string,
    onAnswer: (answer: { readonly status: number; readonly ms: number }) => void,
  ) => Warehouse;
  readonly inline: Inline;
  readonly resources: Resources;
  /** The resource in a delivery's bytes as JSON text; undefined where there is none that can be read. */
  readonly readPayload: (body: Uint8Array) => string | undefined;
  readonly inbox: { quarantine(eventIds: readonly string[], reason: string): Promise<void> };
  readonly subjects: Subjects;
  readonly troubles: Troubles;
  readonly outbox: Outbox;
  readonly destinationOf: (tenant: string) => Destination;
  /** Composes the message that a change is announced with. */
  readonly compose: (input: AnnouncementInput) => Announcement;
  /** How old a stored user or customer may be before it is fetched again, in milliseconds. */
  readonly directoryMaxAgeMs: number;
  /** How long an announcement is tried before it is given up, in milliseconds. */
  readonly announceForMs: number;
  /** The waits between attempts that the kinds of failure ask for, in milliseconds. */
  readonly retry: { readonly slowMs: number; readonly retryAfterCapMs: number };
}
