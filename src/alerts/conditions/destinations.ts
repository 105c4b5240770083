import { destinationState, silencerOf } from '../../store/tables/destinations.ts';
import { ONE, type Search, type Sources } from './search.ts';

type State = Awaited<ReturnType<typeof destinationState>>[number];

/** Finds the destinations in a state, by the time since which they are in it and the reason. */
const search =
  (
    read: (row: State, sources: Sources) => { readonly since: number | null; readonly because: string | null },
  ): Search =>
  async (sources) => {
    const rows = await destinationState(sources.reads);
    return rows.flatMap((row) => {
      const { tenant, name } = row;
      const { since, because } = read(row, sources);
      const path = `/board/destinations/${encodeURIComponent(tenant)}/${encodeURIComponent(name)}`;
      return since === null ? [] : [{ about: `${name} of warehouse ${tenant}`, ...ONE, since, because, path }];
    });
  };

/** Finds the destinations of which every attempt has failed for a while, and to which Dockline still sends. */
export const findFailingDestinations = search(
  ({ paused_at, failing_since: since, last_error }, { now, failingMs }) => ({
    since: paused_at === null && since !== null && since <= now - failingMs ? since : null,
    because: last_error,
  }),
);

/** Finds the destinations that Dockline has stopped. */
export const findStoppedDestinations = search((row) => ({
  since: silencerOf(row) === 'dockline' ? row.paused_at : null,
  because: row.paused_because,
}));
