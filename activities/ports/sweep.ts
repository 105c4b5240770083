import type { WarehouseEvent } from '../../src/domain/catalogue/event.ts';
import type { KnownSubjects } from '../../src/subjects/tables/subject-search.ts';
import type { Limitation, Listing } from '../../src/warehouse/listed.ts';

export interface Difference {
  readonly event: WarehouseEvent;
  readonly evidence: object;
}

export interface AskedSweep {
  readonly action: 'reconcile' | 'backfill';
  /** Name as given; not verified. */
  readonly by: string;
}

export interface SweepDeps {
  /** Reports, in words for people, a listing that the warehouse refuses, and the consequence. */
  readonly onLimitation: (limitation: Limitation & { readonly tenant: string }) => void;
  /** Records that somebody asked for a sweep; idempotent. */
  readonly onAsked: (asked: AskedSweep & { readonly tenant: string; readonly startedAt: number }) => Promise<void>;
  readonly listingOf: (tenant: string) => Listing;
  readonly known: KnownSubjects;
  /** Adds differences to the inbox like deliveries; returns for each whether it is new. */
  readonly feed: (differences: readonly Difference[]) => Promise<readonly boolean[]>;
}
