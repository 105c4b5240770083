import { countOutgoing, type Outgoing } from '../destinations/tables/counts.ts';
import { type DestinationState, destinationState } from '../destinations/tables/destinations.ts';
import type { Attention } from '../domain/lifecycle/attention.ts';
import type { QuarantineCategory } from '../domain/quarantine.ts';
import type { DestinationRef } from '../domain/routing.ts';
import { countQuarantined, countWaiting } from '../inbox/tables/counts.ts';
import type { BoundedCount } from '../store/bounded-count.ts';
import { findOldestTransaction } from '../store/engines/postgres.ts';
import type { Readings } from '../store/limited-reads.ts';
import type { ListingDeps } from '../store/schema.ts';
import {
  countAttention,
  countDueBy,
  countOpenStages,
  type DueCounts,
  type StageCount,
} from '../subjects/tables/counts.ts';

export interface StoredGauges {
  readonly at: number;
  readonly waiting: Pick<BoundedCount, 'count' | 'since'>;
  readonly quarantined: ReadonlyMap<QuarantineCategory, BoundedCount>;
  readonly outgoing: Outgoing;
  readonly destinations: readonly (DestinationRef & { readonly state: DestinationState })[];
  readonly subjects: readonly StageCount[];
  readonly attention: Readonly<Record<Attention, number>>;
  readonly due: DueCounts;
  /** Of another connection; 0 for none. */
  readonly oldestTransactionMs: number;
}

/** `waiting` is exact. */
export function createStoredReading({
  readings: { once },
  now,
  waiting,
}: Pick<ListingDeps, 'now'> & {
  readonly readings: Readings;
  readonly waiting: () => number;
}): () => Promise<StoredGauges> {
  return async () => ({
    at: now(),
    waiting: { count: waiting(), since: (await once(countWaiting)).since },
    quarantined: await once(countQuarantined),
    outgoing: await once(countOutgoing),
    destinations: await once(destinationState),
    subjects: await once(countOpenStages),
    attention: await once(countAttention),
    due: await once(countDueBy),
    oldestTransactionMs: (await once(findOldestTransaction))?.ms ?? 0,
  });
}
