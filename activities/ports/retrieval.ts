import type { ResourceKind } from '../../src/domain/catalogue/enrichment.ts';
import type { OwnFacts } from '../../src/domain/catalogue/record-facts.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';

/** Subject as JSON text, with the facts that decide its lifecycle and further GETs. */
export interface RetrievedSubject {
  readonly snapshot: Snapshot;
  /** Facts for lists and search; absent where the answer is no record of its own. */
  readonly facts?: OwnFacts;
  /** User who changed it last; absent for the system itself. */
  readonly lastModifiedBy?: string;
  /** The warehouse answered in a form in which no fact was found. */
  readonly isUnreadable?: true;
  readonly body: string;
}

/**
 * API of the warehouse. Each call is one authenticated GET without retries; a failure is a `DocklineError` with an `ERR_WAREHOUSE_`
 * code. Resources are JSON text.
 */
export interface Warehouse {
  /** Returns a subject. An item is found by its customer. */
  getSubject(subject: SubjectRef & { readonly customerId?: string }, signal: AbortSignal): Promise<RetrievedSubject>;
  getOrderItem(orderId: string, orderItemId: string, signal: AbortSignal): Promise<string>;
  /** Returns all lines of an order by their ids. */
  getOrderItems(orderId: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  getUser(userId: string, signal: AbortSignal): Promise<string>;
  getCustomer(customerId: string, signal: AbortSignal): Promise<string>;
  getPickList(pickJobId: string, signal: AbortSignal): Promise<string>;
}

/** Retrieved body of a resource. */
export interface Resource {
  readonly body: string;
  readonly ageMs: number;
  /** Customer that it is of; null if nothing says whose it is. */
  readonly customerId: string | null;
}

/** Newest retrieved body of each resource; bodies never enter a workflow's history. */
export interface Resources {
  /** Stores a body with the customer that it is of; null if nothing says whose it is. */
  put(tenant: string, kind: ResourceKind, id: string, body: string, customerId?: string | null): Promise<void>;
  /** Returns the newest body, and its age in milliseconds. */
  find(tenant: string, kind: ResourceKind, id: string): Promise<Resource | undefined>;
}
