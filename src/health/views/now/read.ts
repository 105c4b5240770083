import { type Kysely, sql } from 'kysely';
import type { Sources } from '../../../admin/views/view.ts';
import { countDeadLetters } from '../../../destinations/tables/counts.ts';
import { destinationState, disablerOf } from '../../../destinations/tables/destinations.ts';
import { isPaused } from '../../../destinations/views/announcement-row.ts';
import { type SubjectKind, subjectKinds } from '../../../domain/catalogue/subject.ts';
import { isLastStage, type Stage, stagesOf } from '../../../domain/lifecycle/stage.ts';
import type { DestinationRef } from '../../../domain/routing.ts';
import { countQuarantined, countWaiting } from '../../../inbox/tables/counts.ts';
import { type NewestDelivery, newestDeliveries } from '../../../inbox/tables/newest-deliveries.ts';
import { type BoundedCount, COUNTED, countEach, runCounts } from '../../../store/bounded-count.ts';
import type { Database, ListingDeps } from '../../../store/schema.ts';
import { needsAttention } from '../../../subjects/tables/attention.ts';
import { countStage, countSubjects } from '../../../subjects/tables/counts.ts';
import { isOpen } from '../../../subjects/tables/subject-search.ts';
import { createDeliveries, type HourOfDeliveries } from './deliveries.ts';
import { type Pace, readPace } from './pace.ts';
import { countShipped, type Shipped } from './shipped.ts';
import { readTrucks, type Trucks } from './trucks.ts';

/** Count up to a limit. */
export type Count = Pick<BoundedCount, 'count' | 'isMore'>;

/** Orders in a stage. */
export interface StageCount extends Count {
  readonly stage: Stage;
  /** Orders that ended are counted for a day only. */
  readonly isLast: boolean;
  /** Time at which the subject that has been in the stage for longest entered it, in milliseconds since the epoch; null if there is none. */
  readonly oldestSince: number | null;
}

/** Content of the first page; times are in milliseconds since the epoch. */
export interface Overview {
  readonly stages: readonly StageCount[];
  /** Subjects of the other kinds that are not closed, canceled or deleted. */
  readonly others: readonly (Count & { readonly kind: SubjectKind })[];
  /** Subjects with troubles of their own. */
  readonly attention: Count;
  readonly quarantined: BoundedCount;
  readonly deadLettered: BoundedCount;
  /** Announcements that are sent for the first time; replays and those on hold are counted apart. */
  readonly unsent: BoundedCount;
  readonly replays: BoundedCount;
  readonly onHold: BoundedCount;
  readonly waiting: BoundedCount;
  /** Orders by the truck that they are to go by. */
  readonly trucks: Trucks;
  readonly shipped: Shipped;
  /** Destinations that a person has paused. */
  readonly paused: readonly PausedDestination[];
  /** Oldest first. */
  readonly deliveries: readonly HourOfDeliveries[];
  readonly tenants: readonly NewestDelivery[];
}

/** Destination that a person has paused. */
interface PausedDestination extends DestinationRef {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly because: string;
}

const DAY = 86_400_000;

/** Values of the first page. */
type OverviewDeps = ListingDeps & Pick<Sources, 'reads' | 'isOfCustomers' | 'configured'>;

/** Each statement reads a bounded part of an index. */
export function createOverview(deps: OverviewDeps): () => Promise<Overview> {
  const { reads: db, now, isOfCustomers } = deps;
  const readDeliveries = createDeliveries(deps);
  const paceOf = createPace(db);
  return async () => {
    const [attention, quarantined, deadLettered, waiting] = await runCounts(db, [
      countSubjects(needsAttention),
      countQuarantined,
      countDeadLetters,
      countWaiting,
    ]);
    return {
      stages: await countStages(db, now()),
      others: await countOthers(db),
      attention,
      quarantined,
      deadLettered,
      ...(await countUnsent(db)),
      waiting,
      trucks: await readTrucks(db, await paceOf(now()), now()),
      shipped: await countShipped(db, now()),
      paused: await findPaused(db),
      deliveries: await readDeliveries(),
      // That of an account tells of other customers, and takes long to find for one of them.
      tenants: isOfCustomers ? [] : await newestDeliveries(db),
    };
  };
}

/** Counts what was not acknowledged by what becomes of it; `since` of a replay is when it was asked for. */
async function countUnsent(db: Kysely<Database>): Promise<Pick<Overview, 'unsent' | 'replays' | 'onHold'>> {
  const { rows } = await sql<{ state: 'unsent' | 'replays' | 'onHold'; count: number; since: number }>`
    select state, count(*) as count, min(since) as since from (
      select coalesce(replayed_at, created_at) as since,
        case when ${isPaused} = 1 then 'onHold' when replayed_at is not null then 'replays' else 'unsent' end as state
      from ${sql.table('outbox')} where sent_at is null and dead_lettered_at is null
      order by created_at limit ${COUNTED + 1}) as counted group by state`.execute(db);
  const isMore = rows.reduce((sum, { count }) => sum + Number(count), 0) > COUNTED;
  const of = (state: 'unsent' | 'replays' | 'onHold'): BoundedCount => {
    const row = rows.find((it) => it.state === state);
    return {
      count: Math.min(Number(row?.count ?? 0), COUNTED),
      isMore: isMore && row !== undefined,
      since: row?.since ?? null,
    };
  };
  return { unsent: of('unsent'), replays: of('replays'), onHold: of('onHold') };
}

async function findPaused(db: Kysely<Database>): Promise<readonly PausedDestination[]> {
  const rows = await destinationState(db);
  return rows.flatMap((row) => {
    const { tenant, name, paused_at: since, paused_because: because } = row;
    return since === null || disablerOf(row) !== 'person' ? [] : [{ tenant, name, since, because: because ?? '' }];
  });
}

async function countStages(db: Kysely<Database>, now: number): Promise<readonly StageCount[]> {
  const counted = await countEach(db, stagesOf('order'), (stage) =>
    countStage({ kind: 'order', stage, since: isLastStage(stage) ? now - DAY : undefined }),
  );
  return counted.map(({ item: stage, since: oldestSince, ...count }) => ({
    stage,
    isLast: isLastStage(stage),
    oldestSince,
    ...count,
  }));
}

async function countOthers(db: Kysely<Database>): Promise<Overview['others']> {
  const kinds = subjectKinds.filter((kind) => kind !== 'order');
  const counted = await countEach(db, kinds, (kind) => countSubjects(sql`kind = ${kind} and ${isOpen}`));
  return counted.map(({ item: kind, count, isMore }) => ({ kind, count, isMore }));
}

/** Time for which a pace holds, in milliseconds: it changes little, and takes a while to measure. */
const PACE_MS = 30_000;

function createPace(db: Kysely<Database>): (now: number) => Promise<Pace> {
  let known: { readonly at: number; readonly pace: Promise<Pace> } | undefined;
  return (now) => {
    if (known === undefined || now - known.at > PACE_MS) known = { at: now, pace: readPace(db, now) };
    return known.pace;
  };
}
