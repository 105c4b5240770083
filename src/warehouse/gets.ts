import type { SubjectRef } from '../domain/catalogue/subject.ts';
import type { Reading } from '../domain/kinds/record.ts';
import type { Milestone } from '../domain/lifecycle/milestone.ts';

/** Subject as JSON text, with the facts that decide its lifecycle and further GETs. */
export interface RetrievedSubject extends Reading {
  /** Time of its last change, as the warehouse writes it: usually local time without an offset. */
  readonly changedAt?: string;
  /** It is not complete yet, which is when the warehouse reports its creation. */
  readonly isDeferred?: true;
  readonly body: string;
}

export interface WarehouseAnswer {
  readonly status: number;
  /** From its beginning, in milliseconds. */
  readonly ms: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Others that the same GET has answered; absent for none. */
  readonly others?: number;
}

export interface Urgency {
  /** Returns its rank among all that wait for their turns; the lowest is first. Default: that of an event. */
  readonly rank?: () => number;
  /** Time after which it is given up with `ERR_WAREHOUSE_BUSY` if its turn has not come, in milliseconds. */
  readonly withinMs?: number;
  /** Milliseconds since the epoch. */
  readonly onBegin?: ((startedAt: number) => void) | undefined;
  /**
   * Returns what was known of the record at a time, in milliseconds since the epoch; undefined if no listing could prove to be as new. Default: the
   * record has its own GET.
   */
  readonly known?: ((at: number) => Promise<Known | undefined>) | undefined;
}

/** What a row of a listing has to be newer than. */
export interface Known {
  /** As JSON text; undefined for none. */
  readonly stored: string | undefined;
  readonly newest: readonly Reported[];
}

export interface Reported {
  readonly milestone: Milestone | null;
  /** Time of the last change that the record in its message has, as the warehouse writes it. */
  readonly changedAt?: string | undefined;
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
