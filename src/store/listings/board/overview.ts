import { type Kysely, sql } from 'kysely';
import type { BoardLists, Overview, StageCount, TenantPulse } from '../../../admin/board/ports.ts';
import { subjectKinds } from '../../../domain/catalogue/subject.ts';
import { isLastStage, type Stage } from '../../../domain/lifecycle/stage.ts';
import type { Database, ListingDeps } from '../../schema.ts';
import { isOpen } from '../../tables/subject-search.ts';
import { isSettled, isWaiting } from '../../tables/waiting.ts';
import {
  countDeadLetters,
  countEach,
  countQuarantined,
  countRows,
  countStage,
  countUnsent,
  countWaiting,
  openStages,
  runCounts,
} from '../bounded-count.ts';
import { countMarked, findAttentionGroups } from './attention.ts';
import { createFlow } from './flow.ts';

const DAY = 86_400_000;

/** Creates the counts of the first page. Each statement reads a bounded part of an index. */
export function createOverview({ reads: db, now }: ListingDeps): BoardLists['overview'] {
  const flow = createFlow({ reads: db, now });
  return async () => {
    const [attention, quarantined, deadLettered, unsent, waiting] = await runCounts(db, [
      countMarked,
      countQuarantined,
      countDeadLetters,
      countUnsent,
      countWaiting,
    ]);
    return {
      stages: await countStages(db, now()),
      others: await countOthers(db),
      attention: { ...attention, groups: attention.count === 0 ? [] : await findAttentionGroups(db) },
      ...{ quarantined, deadLettered, unsent, waiting },
      flow: await flow(),
      tenants: await findPulses(db),
    };
  };
}

const orderStages = [...openStages.order, 'confirmed', 'canceled', 'deleted'] satisfies Stage[];

async function countStages(db: Kysely<Database>, now: number): Promise<readonly StageCount[]> {
  const counted = await countEach(db, orderStages, (stage) =>
    countStage({ kind: 'order', stage, since: isLastStage(stage) ? now - DAY : undefined }),
  );
  return counted.map(({ item: stage, since: oldestSince, ...count }) => ({
    ...{ stage, isLast: isLastStage(stage), oldestSince, ...count },
  }));
}

async function countOthers(db: Kysely<Database>): Promise<Overview['others']> {
  const kinds = subjectKinds.filter((kind) => kind !== 'order');
  const counted = await countEach(db, kinds, (kind) =>
    countRows(sql`subjects where kind = ${kind} and ${isOpen} order by stage_since`, sql`stage_since`),
  );
  return counted.map(({ item: kind, count, isMore }) => ({ kind, count, isMore }));
}

/** Deliveries that wait of which the newest of a tenant is looked for; the others are found in the index. */
const NEWEST = 200;

/** Finds the newest delivery of each tenant: among the newest that wait, and by stepping from one tenant to the next in the index of the others. */
async function findPulses(db: Kysely<Database>): Promise<readonly TenantPulse[]> {
  const pulses = sql<TenantPulse>`
    with recursive tenants (tenant) as (
      select min(tenant) from inbox where ${isSettled}
      union all
      select (select min(inbox.tenant) from inbox where inbox.tenant > tenants.tenant and ${isSettled})
        from tenants where tenants.tenant is not null)
    select tenant, max(received_at) as "lastReceivedAt" from (
      select tenant,
        (select received_at from inbox where inbox.tenant = tenants.tenant and ${isSettled} order by id desc limit 1) as received_at
      from tenants where tenant is not null
      union all
      select tenant, received_at from (
        select tenant, received_at from inbox where ${isWaiting} order by id desc limit ${NEWEST}) as waiting
    ) as newest group by tenant order by tenant`;
  return (await pulses.execute(db)).rows;
}
