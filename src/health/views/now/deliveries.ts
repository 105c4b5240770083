import type { Sources } from '../../../admin/views/view.ts';
import { type AttemptCounts, countAttemptsIn } from '../../../destinations/tables/counts.ts';
import { findDestinations } from '../../../destinations/views/destination-row.ts';
import type { ListingDeps } from '../../../store/schema.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** Then a past hour is not counted again. */
const SETTLED_MS = 60_000;

/** In each of the last 24 hours; a past hour is counted once. */
export function createDeliveries(sources: ListingDeps & Pick<Sources, 'reads'>) {
  const { reads, now } = sources;
  let settled = new Map<number, AttemptCounts>();
  return async (): Promise<readonly AttemptCounts[]> => {
    const last = Math.floor(now() / HOUR_MS) * HOUR_MS;
    const hours = Array.from({ length: HOURS }, (_, index) => last - (HOURS - 1 - index) * HOUR_MS);
    const open = hours.filter((at) => !settled.has(at));
    const destinations = await findDestinations(sources);
    const counted = await countAttemptsIn(reads, destinations, { begins: open, ms: HOUR_MS });
    const known = new Map(counted.map((it) => [it.at, it]));
    const all = hours.flatMap((at) => settled.get(at) ?? known.get(at) ?? []);
    settled = new Map(all.filter(({ at }) => at + HOUR_MS + SETTLED_MS < now()).map((it) => [it.at, it]));
    return all;
  };
}
