import type { SavedSubject } from './lifecycle/attention.ts';
import type { Retrieval } from './lifecycle/gets.ts';
import type { Announcement } from './outgoing.ts';
import type { DestinationFilter, Identity } from './routing.ts';

export interface WaitingEvent {
  readonly id: string;
  /** `WarehouseEvent` as JSON. */
  readonly json: string;
}

export type ReceivedEvent = WaitingEvent & { readonly receivedAt: number };

export interface StoredDestination {
  readonly id: Identity;
  readonly filter: DestinationFilter;
  readonly isPaused: boolean;
  readonly wasPaused: boolean;
}

/** Recorded before the customer of its subject was known. */
export interface Unrouted {
  readonly id: string;
  readonly revision: number;
  readonly madeAt: number;
  readonly body: string;
}

export type Routed<T> = T & { readonly destinations: readonly string[] };

export interface Decision {
  readonly saved: SavedSubject;
  readonly announcements: readonly Routed<
    Announcement & {
      readonly summary: string;
      /** After the change; null while unknown. */
      readonly customerId: string | null;
    }
  >[];
  /** From before the customer was known: with the destinations of this customer only, and bodies that replace theirs. */
  readonly routedNow?: readonly Routed<Omit<Unrouted, 'body'> & { readonly body?: string }>[] | undefined;
  /** Undefined for a destination for which this process does not lease. */
  readonly leaseMsOf?: ((destination: string) => number | undefined) | undefined;
  /** Of observed events, by their ids; without those whose customer is unknown. */
  readonly customersOfEvents?: ReadonlyMap<string, string> | undefined;
  readonly retrieval?: Retrieval | undefined;
  /** True also if all was refused for good. */
  readonly retrieved: boolean;
}
