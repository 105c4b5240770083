import type { SavedSubject } from './lifecycle/attention.ts';
import type { Retrieval } from './lifecycle/gets.ts';
import type { Announcement } from './outgoing.ts';
import type { DestinationFilter, Identity } from './routing.ts';

export interface WaitingEvent {
  /** Dedupe key. */
  readonly id: string;
  /** `WarehouseEvent` as JSON. */
  readonly json: string;
}

/** Milliseconds since the epoch. */
export type ReceivedEvent = WaitingEvent & { readonly receivedAt: number };

export interface StoredDestination {
  readonly id: Identity;
  /** Changes that it wants. */
  readonly filter: DestinationFilter;
  readonly isPaused: boolean;
  readonly wasPaused: boolean;
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
  /** Milliseconds for which this process leases what goes to a destination; undefined if it does not. */
  readonly leaseMsOf?: ((destination: string) => number | undefined) | undefined;
  /** Customers of the events that were observed, by the ids of those whose customer is known. */
  readonly customersOfEvents?: ReadonlyMap<string, string> | undefined;
  readonly retrieval?: Retrieval | undefined;
  /** Everything that was to be fetched was fetched, or refused for good. */
  readonly retrieved: boolean;
}
