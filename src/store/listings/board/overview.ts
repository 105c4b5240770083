import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BoardLists, Overview, StageCount, TenantPulse } from '../../../admin/board/ports.ts';
import { subjectKinds } from '../../../domain/catalogue/subject.ts';
import { isLastStage, type Stage } from '../../../domain/lifecycle/stage.ts';
import type { Database, StoreDeps } from '../../schema.ts';
import { waitingRows } from '../../tables/waiting.ts';
import { readSubject, selectSubjects } from '../subjects.ts';
import { createFlow } from './flow.ts';

/** Rows that are counted at most; each takes less than a microsecond. */
const COUNTED = 10_000;

/** Subjects in need of attention that are shown, and counted. */
const SHOWN = 12;

const DAY = 86_400_000;

/** Creates the counts of the first page. Each statement reads a bounded part of an index. */
export function createOverview({ db, now }: StoreDeps): BoardLists['overview'] {
  const flow = createFlow({ db, now });
  return async (): Promise<Overview> => {
    const at = now();
    const oldest = await waitingRows(db).select('received_at as at').orderBy('id').limit(1).executeTakeFirst();
    return {
      at,
      stages: await countStages(db, at),
      others: await countOthers(db),
      attention: await findAttention(db),
      quarantined: await count(db, sql`inbox where quarantine_reason is not null order by id`, sql`received_at`),
      deadLettered: await count(
        db,
        sql`announcements where sent_at is null and dead_lettered_at is not null order by dead_lettered_at`,
        sql`dead_lettered_at`,
      ),
      unsent: await count(
        db,
        sql`announcements where sent_at is null and dead_lettered_at is null order by created_at`,
        sql`created_at`,
      ),
      oldestWaiting: oldest?.at ?? null,
      flow: await flow(),
      tenants: await findPulses(db),
    };
  };
}

/** Counts rows, and finds the least value of a column among those counted. */
async function count(db: Kysely<Database>, source: RawBuilder<unknown>, column: RawBuilder<unknown>) {
  const rows = sql<{ count: number; since: number | null }>`select count(*) as count, min(since) as since
    from (select ${column} as since from ${source} limit ${COUNTED + 1}) as counted`;
  const [{ count, since } = { count: 0, since: null }] = (await rows.execute(db)).rows;
  return { count: Math.min(count, COUNTED), isMore: count > COUNTED, since };
}

/** Stages of an order, in their order. */
const orderStages = [
  ...(['created', 'completed', 'fullyAllocated', 'picked', 'packing', 'packed'] as const),
  ...(['confirmed', 'canceled', 'deleted'] as const),
] satisfies Stage[];

async function countStages(db: Kysely<Database>, now: number): Promise<readonly StageCount[]> {
  const counted: StageCount[] = [];
  for (const stage of orderStages) {
    const isLast = isLastStage(stage);
    const since = isLast ? sql`and stage_since >= ${now - DAY}` : sql``;
    const source = sql`subjects where kind = 'order' and stage = ${stage} ${since} order by stage_since`;
    const { since: oldestSince, ...rest } = await count(db, source, sql`stage_since`);
    counted.push({ stage, isLast, oldestSince, ...rest });
  }
  return counted;
}

async function countOthers(db: Kysely<Database>): Promise<Overview['others']> {
  const counted = [];
  for (const kind of subjectKinds.filter((kind) => kind !== 'order')) {
    const open = sql`subjects where kind = ${kind} and stage not in ('confirmed', 'canceled', 'deleted')
      order by stage_since`;
    counted.push({ kind, ...(await count(db, open, sql`stage_since`)) });
  }
  return counted;
}

async function findAttention(db: Kysely<Database>): Promise<Overview['attention']> {
  const marked = sql<boolean>`needs_attention = 1`;
  const first = await selectSubjects(db).where(marked).orderBy('stage_since').limit(SHOWN).execute();
  return {
    ...(await count(db, sql`subjects where ${marked} order by stage_since`, sql`stage_since`)),
    first: first.map(readSubject),
  };
}

/** Finds the newest delivery of each tenant by stepping from one tenant to the next in the index. */
async function findPulses(db: Kysely<Database>): Promise<readonly TenantPulse[]> {
  const { rows } = await sql<TenantPulse>`
    with recursive tenants (tenant) as (
      select min(tenant) from inbox
      union all
      select (select min(inbox.tenant) from inbox where inbox.tenant > tenants.tenant) from tenants where tenants.tenant is not null)
    select tenant,
      (select received_at from inbox where inbox.tenant = tenants.tenant order by id desc limit 1) as "lastReceivedAt"
    from tenants where tenant is not null`.execute(db);
  return rows;
}
