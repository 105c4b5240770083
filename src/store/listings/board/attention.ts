import { type Kysely, sql } from 'kysely';
import type { AttentionGroup } from '../../../admin/board/ports.ts';
import type { Database } from '../../schema.ts';
import { countEach, countSubjects } from '../bounded-count.ts';
import { needsAttention, readSubject, selectSubjects } from '../subjects.ts';

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
    if (row) groups.push({ group, example: readSubject(row), count, isMore });
  }
  return groups.sort(byUrgency).slice(0, SHOWN);
}

async function findNames(db: Kysely<Database>): Promise<readonly string[]> {
  const next = sql`select min(attention_group) from subjects where ${needsAttention}`;
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
