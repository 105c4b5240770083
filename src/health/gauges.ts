import { countOutgoing } from '../destinations/tables/counts.ts';
import { destinationState } from '../destinations/tables/destinations.ts';
import { countQuarantined, countWaiting } from '../inbox/tables/counts.ts';
import { oldestTransactionMs } from '../store/engines/postgres.ts';
import type { Readings } from '../store/limited-reads.ts';
import type { StoreDeps } from '../store/schema.ts';
import { countAttention, countDueBy, countOpenStages } from '../subjects/tables/counts.ts';

export type StoredGauges = Awaited<ReturnType<ReturnType<typeof createStoredReading>>>;

/** `waiting` is exact. */
export function createStoredReading({
  readings: { once },
  now,
  waiting,
}: Pick<StoreDeps, 'now'> & {
  readonly readings: Readings;
  readonly waiting: () => number;
}) {
  return async () => ({
    at: now(),
    waiting: { count: waiting(), since: (await once(countWaiting)).since },
    quarantined: await once(countQuarantined),
    outgoing: await once(countOutgoing),
    destinations: (await once(destinationState)).map(({ tenant, name, state }) => ({ tenant, name, state })),
    subjects: await once(countOpenStages),
    attention: await once(countAttention),
    due: await once(countDueBy),
    oldestTransactionMs: await once(oldestTransactionMs),
  });
}
