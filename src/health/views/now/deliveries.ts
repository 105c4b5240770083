import type { Sources } from '../../../admin/views/view.ts';
import { countAttempts } from '../../../destinations/tables/counts.ts';
import { findDestinations } from '../../../destinations/views/destination-row.ts';
import { attemptOutcomes } from '../../../domain/exchange.ts';
import { countEach } from '../../../store/bounded-count.ts';
import type { ListingDeps } from '../../../store/schema.ts';

/** Attempts to deliver announcements in an hour that begins at a time, in milliseconds since the epoch. */
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
export function createDeliveries(sources: ListingDeps & Pick<Sources, 'reads' | 'configured'>) {
  const { reads, now } = sources;
  let settled = new Map<number, HourOfDeliveries>();
  return async (): Promise<readonly HourOfDeliveries[]> => {
    const last = Math.floor(now() / HOUR_MS) * HOUR_MS;
    const hours = Array.from({ length: HOURS }, (_, index) => last - (HOURS - 1 - index) * HOUR_MS);
    const open = hours.filter((at) => !settled.has(at));
    const destinations = await findDestinations(sources);
    const asked = open.flatMap((from) =>
      destinations.flatMap(({ tenant, name }) =>
        attemptOutcomes.map((outcome) => ({ tenant, name, outcome, from, to: from + HOUR_MS })),
      ),
    );
    const counted = await countEach(reads, asked, countAttempts);
    const sum = (at: number, isDelivered: boolean) =>
      counted
        .filter(({ item }) => item.from === at && (item.outcome === 'delivered') === isDelivered)
        .reduce((total, { count }) => total + count, 0);
    const known = new Map(open.map((at) => [at, { at, delivered: sum(at, true), failed: sum(at, false) }]));
    const all = hours.flatMap((at) => settled.get(at) ?? known.get(at) ?? []);
    settled = new Map(all.filter(({ at }) => at + HOUR_MS + SETTLED_MS < now()).map((it) => [it.at, it]));
    return all;
  };
}
