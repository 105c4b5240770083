import { type Kysely, sql } from 'kysely';
import type { Operation } from '../../../domain/catalogue/operation.ts';
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

/** GET that the warehouse refuses: one thing is wrong, however many subjects lack its result. */
export interface RefusedOperation extends Pick<BoundedCount, 'count' | 'isMore'> {
  readonly operation: Operation;
  /** The one that has been in its stage for longest. */
  readonly example: SubjectRow;
}

/** Subjects that need a person: by equal reasons, and by the GET that is refused where that is the only one. */
export interface AttentionCards {
  readonly groups: readonly AttentionGroup[];
  readonly refused: readonly RefusedOperation[];
}

/** Groups that are read and, of those, shown. Each is a combination of reasons and operations, of which there are few. */
const READ = 30;
const SHOWN = 12;

const isIn = (group: string) => sql<boolean>`${needsAttention} and attention_group = ${group}`;

/** Finds what needs a person. However many subjects do, it steps from group to group in their index. */
export async function findAttentionCards(db: Kysely<Database>): Promise<AttentionCards> {
  const groups: AttentionGroup[] = [];
  const counted = await countEach(db, await findNames(db), (name) => countSubjects(isIn(name)));
  for (const { item: group, count, isMore } of counted) {
    const row = await selectSubjects(db).where(isIn(group)).orderBy('stage_since').limit(1).executeTakeFirst();
    if (row) groups.push({ group, example: toSubject(row), count, isMore });
  }
  const onlyRefused = groups.filter(({ group }) => ONLY_REFUSED.test(group));
  return {
    groups: groups
      .filter((it) => !onlyRefused.includes(it))
      .sort(byUrgency)
      .slice(0, SHOWN),
    refused: byOperation(onlyRefused),
  };
}

/** Name of a group whose only reason is what the warehouse refused. */
const ONLY_REFUSED = /^refused:([\w,]+),$/;

/** Adds up the groups in which an operation is refused, those of the most subjects first. */
function byOperation(groups: readonly AttentionGroup[]): readonly RefusedOperation[] {
  const each = groups.flatMap(({ group, ...rest }) =>
    (ONLY_REFUSED.exec(group)?.[1] ?? '')
      .split(',')
      .map((operation) => ({ operation: operation as Operation, ...rest })),
  );
  return [...Map.groupBy(each, ({ operation }) => operation)]
    .map(([operation, all]) => {
      const [{ example }] = all.toSorted((a, b) => Number(a.example.stageSince) - Number(b.example.stageSince)) as [
        RefusedOperation,
      ];
      const count = all.reduce((sum, it) => sum + it.count, 0);
      return { operation, example, count, isMore: all.some(({ isMore }) => isMore) };
    })
    .sort((a, b) => b.count - a.count);
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
