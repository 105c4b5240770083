import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import type { KnownSubjects } from '../../src/subjects/tables/subject-search.ts';
import type { Limitation, Listing } from '../../src/warehouse/listed.ts';

/** Subject that differs from the warehouse's listing, and the evidence. */
export interface Difference {
  readonly event: WarehouseEvent;
  /** Both sides of the comparison. */
  readonly evidence: object;
}

export interface AskedSweep {
  readonly action: 'reconcile' | 'backfill';
  /** Nobody verifies it. */
  readonly by: string;
}

export interface SweepDeps {
  /** Receives what the warehouse refuses of a listing, and the consequence, for people. */
  readonly onLimitation: (limitation: Limitation & { readonly tenant: string }) => void;
  /** Writes down that somebody asked for a sweep; once for each, however often it is called. */
  readonly onAsked: (asked: AskedSweep & { readonly tenant: string; readonly startedAt: number }) => Promise<void>;
  readonly listingOf: (tenant: string) => Listing;
  readonly known: KnownSubjects;
  /** Adds differences to the inbox as if they had been delivered; returns for each, in order, whether it is new. */
  readonly feed: (differences: readonly Difference[]) => Promise<readonly boolean[]>;
}
