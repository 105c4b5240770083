import { countOutgoing } from '../destinations/tables/counts.ts';
import { countWaiting } from '../inbox/tables/counts.ts';
import type { Readings } from '../store/limited-reads.ts';
import type { StoreDeps } from '../store/schema.ts';
import { countOpenStages } from '../subjects/tables/counts.ts';

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
    outgoing: await once(countOutgoing),
    subjects: await once(countOpenStages),
  });
}
