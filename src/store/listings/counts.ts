import { type Kysely, sql } from 'kysely';
import type { Trouble } from '../../../activities/ports/deps.ts';
import type { FailingActivity, StoredCounts } from '../../admin/ports.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { countOf, type Database, type ListingDeps } from '../schema.ts';
import { countWaiting, oldestWaiting } from '../tables/waiting.ts';
import { attentionColumns, conditions, needsAttention } from './subjects.ts';

/** Counts the contents of the store for operators. Acknowledged announcements are too many to count. */
export async function countStored({ reads }: Pick<ListingDeps, 'reads'>): Promise<StoredCounts> {
  const open = await reads
    .selectFrom('announcements')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('dead_lettered_at').as('deadLettered')])
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow();
  const subjects = await reads
    .selectFrom('subjects')
    .select(({ fn }) => ['kind', 'stage', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'stage'])
    .orderBy('kind')
    .orderBy('stage')
    .execute();
  return {
    quarantinedEvents: await countOf(reads.selectFrom('inbox').where('quarantine_reason', 'is not', null)),
    announcements: { unsent: open.all - open.deadLettered, deadLettered: open.deadLettered },
    subjects,
    attention: await countAttention(reads, Number.MAX_SAFE_INTEGER),
    failing: await findFailing(reads),
    waiting: { count: await countWaiting(reads), oldest: await oldestWaiting(reads) },
  };
}

/** Counts subjects by their reasons for attention; looks at a limited number of those that have any. */
export async function countAttention(db: Kysely<Database>, limit: number): Promise<StoredCounts['attention']> {
  const counted = await db
    .selectFrom(({ selectFrom }) =>
      selectFrom('subjects')
        .select(['needs_attention', ...attentionColumns])
        .where(needsAttention)
        .limit(limit)
        .as('marked'),
    )
    .select(
      attentions.map((name) => sql<number>`coalesce(sum(case when ${conditions[name]} then 1 else 0 end), 0)`.as(name)),
    )
    .executeTakeFirstOrThrow();
  return Object.fromEntries(attentions.map((name) => [name, Number(counted[name])])) as StoredCounts['attention'];
}

/** Maximum number of subjects with failing activities that are read. */
const FAILING = 1000;

/** Summarizes failing activities by tenant and operation. */
export async function findFailing(db: Kysely<Database>): Promise<readonly FailingActivity[]> {
  const rows = await db
    .selectFrom('subjects')
    .select(['tenant', 'retrieving', 'announcing'])
    .where(conditions.failing)
    .limit(FAILING)
    .execute();
  const troubles = rows.flatMap(({ tenant, ...row }) =>
    [row.retrieving, row.announcing].flatMap((json) =>
      json === null ? [] : { tenant, ...(JSON.parse(json) as Trouble) },
    ),
  );
  const groups = Map.groupBy(troubles, ({ tenant, operation }) => `${tenant} ${operation}`);
  return [...groups.values()].map(summarize).sort((a, b) => b.subjects - a.subjects);
}

function summarize(group: readonly (Trouble & { readonly tenant: string })[]): FailingActivity {
  const [newest] = group.toSorted((a, b) => b.nextTryAt - a.nextTryAt) as [Trouble & { tenant: string }];
  return {
    tenant: newest.tenant,
    operation: newest.operation,
    error: newest.error,
    subjects: group.length,
    since: Math.min(...group.map(({ since }) => since)),
    nextTryAt: Math.min(...group.map(({ nextTryAt }) => nextTryAt)),
  };
}
