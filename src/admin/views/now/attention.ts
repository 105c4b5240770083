import { type Kysely, sql } from 'kysely';
import { type BoundedCount, countEach, countSubjects } from '../../../store/bounded-count.ts';
import type { Database } from '../../../store/schema.ts';
import { needsAttention } from '../../../store/tables/attention.ts';
import { type SubjectRow, selectSubjects, toSubject } from '../subject/row.ts';

/** Subjects that need a person for equal reasons. */
export interface AttentionGroup extends Pick<BoundedCount, 'count' | 'isMore'> {
  /** Name of the group, which the list of subjects takes. */
  readonly group: string;
  /** The one that has been in its stage for longest. */
  readonly example: SubjectRow;
}

/** Groups that are read and, of those, shown. Each is a combination of reasons and operations, of which there are few. */
const READ = 30;
const SHOWN = 12;

const isIn = (group: string) => sql<boolean>`${needsAttention} and attention_group = ${group}`;

/** Finds the groups of equal reasons. However many subjects need attention, it steps from group to group in their index. */
export async function findAttentionGroups(db: Kysely<Database>): Promise<readonly AttentionGroup[]> {
  const groups: AttentionGroup[] = [];
  const counted = await countEach(db, await findNames(db), (name) => countSubjects(isIn(name)));
  for (const { item: group, count, isMore } of counted) {
    const row = await selectSubjects(db).where(isIn(group)).orderBy('stage_since').limit(1).executeTakeFirst();
    if (row) groups.push({ group, example: toSubject(row), count, isMore });
  }
  return groups.sort(byUrgency).slice(0, SHOWN);
}

async function findNames(db: Kysely<Database>): Promise<readonly string[]> {
  const next = sql`select min(attention_group) from ${sql.table('subjects')} where ${needsAttention}`;
  const { rows } = await sql<{ name: string }>`
    with recursive groups (name) as (
      select (${next})
      union all
      select (${next} and attention_group > groups.name) from groups where groups.name is not null)
    select name from groups where name is not null limit ${READ}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Reasons, the most urgent first: what is lost without a person, what stands still, and what only lacks a part. */
const urgency = ['unannounced', 'retrieving', 'announcing', 'stalled', 'refused'];

const byUrgency = (a: AttentionGroup, b: AttentionGroup): number => rankOf(a) - rankOf(b) || b.count - a.count;

const rankOf = ({ group }: AttentionGroup): number => urgency.findIndex((reason) => group.includes(reason));
