import { destinationAddress, listAddress } from '../../../admin/board/addresses.ts';
import type { Sources } from '../../../admin/views/view.ts';
import { singleFlight } from '../../../base/loop.ts';
import { DAY_MS, HOUR_MS } from '../../../base/moment.ts';
import { type AttemptCounts, countAttemptsIn, countOutgoing } from '../../../destinations/tables/counts.ts';
import { destinationState } from '../../../destinations/tables/destinations.ts';
import { findDestinations } from '../../../destinations/views/destination-row.ts';
import { subjectKinds } from '../../../domain/catalogue/subject.ts';
import { mainKind } from '../../../domain/kinds/kinds.ts';
import { isLastStage, stagesOf } from '../../../domain/lifecycle/stage.ts';
import { destinationName } from '../../../domain/routing.ts';
import { countQuarantined, countWaiting, newestDeliveries } from '../../../inbox/tables/counts.ts';
import { type BoundedCount, sumCounts } from '../../../store/bounded-count.ts';
import type { StoreDeps } from '../../../store/schema.ts';
import { countOpenStages, countOwnTrouble, countShippedLate, countStages } from '../../../subjects/tables/counts.ts';
import { groupClosed, readClosed } from '../../../subjects/tables/lead-times.ts';
import { isChecked } from '../../sources.ts';
import { diagnoseWarehouses } from '../../warehouse.ts';
import { readTrucks } from './trucks.ts';

const HOURS = 24;

const SETTLED_MS = 60_000;

/** In each of the last 24 hours; a past hour is counted once. */
function createDeliveries(sources: Pick<OverviewDeps, 'reads' | 'now'>) {
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

export type Count = Pick<BoundedCount, 'count' | 'isMore'>;

/** An incident if it lasts for a minute. */
interface Checked {
  readonly what: string;
  readonly path: string;
  readonly since: number;
}

type OverviewDeps = Pick<StoreDeps, 'now'> & Pick<Sources, 'reads' | 'once' | 'isOfCustomers'>;

const endedStages = stagesOf(mainKind)
  .filter(isLastStage)
  .map((stage) => ({ kind: mainKind, stage }) as const);

const SCORECARD_MS = 600_000;

export type Overview = Awaited<ReturnType<ReturnType<typeof createOverview>>>;

/** Each statement reads a bounded part of an index. */
export function createOverview(deps: OverviewDeps) {
  const { reads: db, once, now, isOfCustomers } = deps;
  const readDeliveries = createDeliveries(deps);
  const notified = singleFlight(SCORECARD_MS, async () => {
    const closed = await readClosed(db, { kind: mainKind, since: now() - 7 * DAY_MS, until: now() });
    return groupClosed(closed, 'all')[0]?.notified;
  });
  return async () => {
    const open = await once(countOpenStages);
    const quarantined = await once(countQuarantined);
    return {
      open: open.filter(({ kind }) => kind === mainKind),
      /** Within a day. */
      ended: await countStages(db, endedStages, now() - DAY_MS),
      others: subjectKinds
        .filter((kind) => kind !== mainKind)
        .map((kind) => ({ kind, ...sumCounts(open.filter((it) => it.kind === kind)) })),
      attention: await once(countOwnTrouble),
      quarantined: sumCounts([...quarantined.values()]),
      outgoing: await once(countOutgoing),
      waiting: await once(countWaiting),
      trucks: await readTrucks(db, now()),
      /** Closed in the last week; undefined if nothing was. */
      notified: await notified.read(),
      shippedLate: await countShippedLate(db, now() - DAY_MS),
      paused: findPaused(await once(destinationState)),
      checking: await findChecking(deps),
      deliveries: await readDeliveries(),
      // That of an account tells of other customers, and takes long to find for one of them.
      tenants: isOfCustomers ? [] : await once(newestDeliveries),
    };
  };
}

async function findChecking({ once, now }: OverviewDeps): Promise<readonly Checked[]> {
  const { checked } = await once(diagnoseWarehouses);
  const warehouses = checked.map(({ tenant, since }) => ({
    what: `warehouse ${tenant}`,
    path: listAddress('/board/subjects', { attention: 'failing', tenant }),
    since,
  }));
  const destinations = (await once(destinationState)).flatMap((it) => {
    const { name, tenant, failing_since: since, paused_at: pausedAt } = it;
    if (since === null || pausedAt !== null || !isChecked(since, now())) return [];
    return [{ what: destinationName({ tenant, name }), path: destinationAddress(it), since }];
  });
  return [...warehouses, ...destinations];
}

const findPaused = (rows: Awaited<ReturnType<typeof destinationState>>) =>
  rows.flatMap(({ tenant, name, state, paused_at: since, paused_because: because }) =>
    since === null || state !== 'paused' ? [] : [{ tenant, name, since, because: because ?? '' }],
  );
