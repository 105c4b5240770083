import type { Sources } from '../../../admin/views/view.ts';
import { countAttemptsIn } from '../../../destinations/tables/counts.ts';
import { findDestinations } from '../../../destinations/views/destination-row.ts';
import type { ListingDeps } from '../../../store/schema.ts';

export interface HourOfDeliveries {
  readonly at: number;
  readonly delivered: number;
  readonly failed: number;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** An hour that is over by this is not counted again. */
const SETTLED_MS = 60_000;

/** Creates the counts of deliveries in each of the last 24 hours. An hour that is over is counted once. */
export function createDeliveries(sources: ListingDeps & Pick<Sources, 'reads'>) {
  const { reads, now } = sources;
  let settled = new Map<number, HourOfDeliveries>();
  return async (): Promise<readonly HourOfDeliveries[]> => {
    const last = Math.floor(now() / HOUR_MS) * HOUR_MS;
    const hours = Array.from({ length: HOURS }, (_, index) => last - (HOURS - 1 - index) * HOUR_MS);
    const open = hours.filter((at) => !settled.has(at));
    const destinations = await findDestinations(sources);
    const counted = await countAttemptsIn(reads, destinations, { begins: open, ms: HOUR_MS });
    const sum = (at: number, isDelivered: boolean) =>
      counted
        .filter((it) => it.at === at && (it.outcome === 'delivered') === isDelivered)
        .reduce((total, { count }) => total + count, 0);
    const known = new Map(open.map((at) => [at, { at, delivered: sum(at, true), failed: sum(at, false) }]));
    const all = hours.flatMap((at) => settled.get(at) ?? known.get(at) ?? []);
    settled = new Map(all.filter(({ at }) => at + HOUR_MS + SETTLED_MS < now()).map((it) => [it.at, it]));
    return all;
  };
}
