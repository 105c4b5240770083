import type { OwnFacts } from '../domain/catalogue/record-facts.ts';
import type { SubjectRef } from '../domain/catalogue/subject.ts';
import type { Snapshot } from '../domain/lifecycle/snapshot.ts';

/** Subject as JSON text, with the facts that decide its lifecycle and further GETs. */
export interface RetrievedSubject {
  readonly snapshot: Snapshot;
  /** Facts for lists and search; absent where the answer is no record of its own. */
  readonly facts?: OwnFacts;
  /** User who changed it last; absent for the system itself. */
  readonly lastModifiedBy?: string;
  /** It names several customers. */
  readonly disputed?: true;
  /** The warehouse answered in a form in which no fact was found. */
  readonly isUnreadable?: true;
  readonly body: string;
}

/** Answer to a GET. */
export interface WarehouseAnswer {
  readonly status: number;
  /** Duration from its beginning, in milliseconds. */
  readonly ms: number;
  /** Time at which the GET began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Number of others that the same GET has answered; absent for none. */
  readonly others?: number;
}

/** Urgency of a GET, and its patience. */
export interface Urgency {
  /** Returns its rank among all that wait for their turns; the lowest is first. Default: that of an event. */
  readonly rank?: () => number;
  /** Time after which it is given up with `ERR_WAREHOUSE_BUSY` if its turn has not come, in milliseconds. */
  readonly withinMs?: number;
  /** Notified when the GET begins, in milliseconds since the epoch. */
  readonly onBegin?: ((startedAt: number) => void) | undefined;
  /** Returns the record as it was stored before, as JSON text: an answer for many at once must not be older. */
  readonly stored?: (() => Promise<string | undefined>) | undefined;
}

/**
 * API of the warehouse. Each call is one authenticated GET without retries; a failure is a `DocklineError` with an `ERR_WAREHOUSE_`
 * code. Resources are JSON text.
 */
export interface Warehouse {
  /** Returns a subject. An item is found by its customer. */
  getSubject(
    subject: SubjectRef & { readonly customerId?: string },
    signal: AbortSignal,
    urgency?: Urgency,
  ): Promise<RetrievedSubject>;
  getOrderItem(orderId: string, orderItemId: string, signal: AbortSignal): Promise<string>;
  /** Returns all lines of an order by their ids. */
  getOrderItems(orderId: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  getUser(userId: string, signal: AbortSignal, urgency?: Urgency): Promise<string>;
  getCustomer(customerId: string, signal: AbortSignal, urgency?: Urgency): Promise<string>;
  getPickList(pickJobId: string, signal: AbortSignal, urgency?: Urgency): Promise<string>;
}
