import { type Kysely, sql } from 'kysely';
import { type SubjectKind, subjectKinds } from '../../../domain/catalogue/subject.ts';
import { isLastStage, type Stage, stagesOf } from '../../../domain/lifecycle/stage.ts';
import type { DestinationRef } from '../../../domain/routing.ts';
import {
  type BoundedCount,
  countDeadLetters,
  countEach,
  countQuarantined,
  countStage,
  countSubjects,
  countUnsent,
  countWaiting,
  runCounts,
} from '../../../store/bounded-count.ts';
import type { Database, ListingDeps } from '../../../store/schema.ts';
import { needsAttention } from '../../../store/tables/attention.ts';
import { destinationState, silencerOf } from '../../../store/tables/destinations.ts';
import { isOpen } from '../../../store/tables/subject-search.ts';
import { isSettled, isWaiting } from '../../../store/tables/waiting.ts';
import type { Sources } from '../view.ts';
import { type AttentionCards, findAttentionCards } from './attention.ts';
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
  /** Subjects that need a person, by equal reasons, the most urgent first. */
  readonly attention: Count & AttentionCards;
  readonly quarantined: BoundedCount;
  readonly deadLettered: BoundedCount;
  readonly unsent: BoundedCount;
  readonly waiting: BoundedCount;
  /** Orders by the truck that they are to go by. */
  readonly trucks: Trucks;
  readonly shipped: Shipped;
  /** Destinations to which nothing is sent. */
  readonly silent: readonly SilentDestination[];
  /** Oldest first. */
  readonly deliveries: readonly HourOfDeliveries[];
  readonly tenants: readonly TenantPulse[];
}

/** Destination to which nothing is sent, since a person has paused it or Dockline has stopped it. */
export interface SilentDestination extends DestinationRef {
  readonly isStopped: boolean;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly because: string;
}

/** Time of the newest delivery of a tenant. */
export interface TenantPulse {
  readonly tenant: string;
  readonly lastReceivedAt: number;
}

const DAY = 86_400_000;

const NONE: AttentionCards = { groups: [], refused: [] };

/** What the first page reads. */
type OverviewDeps = ListingDeps & Pick<Sources, 'isOfCustomers' | 'configured'>;

/** Creates the counts of the first page. Each statement reads a bounded part of an index. */
export function createOverview(deps: OverviewDeps): () => Promise<Overview> {
  const { reads: db, now, isOfCustomers } = deps;
  const readDeliveries = createDeliveries(deps);
  const paceOf = createPace(db);
  return async () => {
    const [attention, quarantined, deadLettered, unsent, waiting] = await runCounts(db, [
      countSubjects(needsAttention),
      countQuarantined,
      countDeadLetters,
      countUnsent,
      countWaiting,
    ]);
    return {
      stages: await countStages(db, now()),
      others: await countOthers(db),
      attention: { ...attention, ...(attention.count === 0 ? NONE : await findAttentionCards(db)) },
      quarantined,
      deadLettered,
      unsent,
      waiting,
      trucks: await readTrucks(db, await paceOf(now()), now()),
      shipped: await countShipped(db, now()),
      silent: await findSilent(db),
      deliveries: await readDeliveries(),
      // That of an account tells of other customers, and takes long to find for one of them.
      tenants: isOfCustomers ? [] : await findPulses(db),
    };
  };
}

async function findSilent(db: Kysely<Database>): Promise<readonly SilentDestination[]> {
  const rows = await destinationState(db);
  return rows.flatMap((row) => {
    const { tenant, name, paused_at: since, paused_because } = row;
    const isStopped = silencerOf(row) === 'dockline';
    return since === null ? [] : [{ tenant, name, since, isStopped, because: paused_because ?? '' }];
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

/** Deliveries that wait of which the newest of a tenant is looked for; the others are found in the index. */
const NEWEST = 200;

/** Finds the newest delivery of each tenant: among the newest that wait, and by stepping from one tenant to the next in the index of the others. */
async function findPulses(db: Kysely<Database>): Promise<readonly TenantPulse[]> {
  const inbox = sql.table('inbox');
  const pulses = sql<TenantPulse>`
    with recursive tenants (tenant) as (
      select min(tenant) from ${inbox} where ${isSettled}
      union all
      select (select min(inbox.tenant) from ${inbox} where inbox.tenant > tenants.tenant and ${isSettled})
        from tenants where tenants.tenant is not null)
    select tenant, max(received_at) as "lastReceivedAt" from (
      select tenant,
        (select received_at from ${inbox} where inbox.tenant = tenants.tenant and ${isSettled} order by id desc limit 1) as received_at
      from tenants where tenant is not null
      union all
      select tenant, received_at from (
        select tenant, received_at from ${inbox} where ${isWaiting} order by id desc limit ${NEWEST}) as waiting
    ) as newest group by tenant order by tenant`;
  return (await pulses.execute(db)).rows;
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
