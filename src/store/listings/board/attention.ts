import { type Kysely, sql } from 'kysely';
import type { AttentionGroup, Overview } from '../../../admin/board/ports.ts';
import type { Database } from '../../schema.ts';
import { countRows } from '../bounded-count.ts';
import { readSubject, selectSubjects } from '../subjects.ts';

/** Groups that are read and, of those, shown. Each is a combination of reasons and operations, of which there are few. */
const READ = 30;
const SHOWN = 12;

const marked = sql<boolean>`needs_attention = 1`;

/** Finds the subjects that need attention by equal reasons. However many there are, it steps from group to group in their index. */
export async function findAttention(db: Kysely<Database>): Promise<Overview['attention']> {
  const all = await countRows(db, sql`subjects where ${marked} order by stage_since`, sql`stage_since`);
  const groups: AttentionGroup[] = [];
  for (const name of all.count === 0 ? [] : await findGroups(db)) groups.push(...(await readGroup(db, name)));
  return { ...all, groups: groups.sort(byUrgency).slice(0, SHOWN) };
}

async function findGroups(db: Kysely<Database>): Promise<readonly string[]> {
  const next = sql`select min(attention_group) from subjects where ${marked}`;
  const { rows } = await sql<{ name: string }>`
    with recursive groups (name) as (
      select (${next})
      union all
      select (${next} and attention_group > groups.name) from groups where groups.name is not null)
    select name from groups where name is not null limit ${READ}`.execute(db);
  return rows.map(({ name }) => name);
}

async function readGroup(db: Kysely<Database>, group: string): Promise<readonly AttentionGroup[]> {
  const isOne = sql<boolean>`${marked} and attention_group = ${group}`;
  const row = await selectSubjects(db).where(isOne).orderBy('stage_since').limit(1).executeTakeFirst();
  const { count, isMore } = await countRows(db, sql`subjects where ${isOne} order by stage_since`, sql`stage_since`);
  return row ? [{ group, example: readSubject(row), count, isMore }] : [];
}

/** Reasons, the most urgent first: what is lost without a person, what stands still, and what only lacks a part. */
const urgency = ['unannounced', 'retrieving', 'announcing', 'stalled', 'refused'];

const byUrgency = (a: AttentionGroup, b: AttentionGroup): number => rankOf(a) - rankOf(b) || b.count - a.count;

const rankOf = ({ group }: AttentionGroup): number => urgency.findIndex((reason) => group.includes(reason));
