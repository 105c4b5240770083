import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { type Attention, attentions } from '../../domain/lifecycle/attention.ts';
import { openStagesOf, type Stage } from '../../domain/lifecycle/stage.ts';
import {
  type BoundedCount,
  COUNTED,
  type CountStatement,
  countEach,
  countRows,
  runCounts,
} from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { needsAttention } from '../../store/subjects.ts';
import { isDue, isDueAndOpen } from './deadlines.ts';

export const attentionColumns = ['stalled', 'unannounced', 'refused', 'retrieving', 'announcing'] as const;

export function attentionIn(
  columns: Pick<Selectable<Database['subjects']>, (typeof attentionColumns)[number]>,
): readonly Attention[] {
  const applies = {
    stalled: columns.stalled === 1,
    refused: columns.refused !== null,
    unannounced: columns.unannounced === 1,
    failing: columns.retrieving !== null || columns.announcing !== null,
  } as const satisfies Record<Attention, boolean>;
  return attentions.filter((name) => applies[name]);
}

export const attentionIs = {
  stalled: sql<boolean>`${needsAttention} and stalled = 1`,
  refused: sql<boolean>`${needsAttention} and refused is not null`,
  unannounced: sql<boolean>`${needsAttention} and unannounced = 1`,
  failing: sql<boolean>`${needsAttention} and (retrieving is not null or announcing is not null)`,
} as const satisfies Record<Attention, RawBuilder<boolean>>;

/** Needs attention for a reason that no incident explains. */
const hasOwnTrouble = sql<boolean>`${needsAttention} and (refused is not null or unannounced = 1)`;

export async function countAttention(db: Kysely<Database>): Promise<{ readonly [A in Attention]: number }> {
  const counted = await db
    .selectFrom(({ selectFrom }) =>
      selectFrom('subjects')
        .select(['needs_attention', ...attentionColumns])
        .where(needsAttention)
        .limit(COUNTED)
        .as('marked'),
    )
    .select(
      attentions.map((name) =>
        sql<number>`coalesce(sum(case when ${attentionIs[name]} then 1 else 0 end), 0)`.as(name),
      ),
    )
    .executeTakeFirstOrThrow();
  return Object.fromEntries(attentions.map((name) => [name, Number(counted[name])])) as { [A in Attention]: number };
}

/** `since`: longest in its stage. */
export const countSubjects = (condition: RawBuilder<unknown>): CountStatement =>
  countRows(sql`${sql.table('subjects')} where ${condition}`, 'stage_since');

export const countDue = (condition: RawBuilder<unknown>): CountStatement =>
  countRows(sql`${sql.table('subjects')} where ${isDueAndOpen} and ${condition}`, 'due_at');

export interface StageCount extends BoundedCount {
  readonly kind: SubjectKind;
  readonly stage: Stage;
}

/** By the time they entered it. */
export async function countStages(
  db: Kysely<Database>,
  stages: readonly Pick<StageCount, 'kind' | 'stage'>[],
  since?: number,
): Promise<readonly StageCount[]> {
  const range = since === undefined ? sql`` : sql`and stage_since >= ${since}`;
  const counted = await countEach(db, stages, ({ kind, stage }) =>
    countSubjects(sql`kind = ${kind} and stage = ${stage} ${range}`),
  );
  return counted.map(({ item, ...count }) => ({ ...item, ...count }));
}

const openStages = subjectKinds.flatMap((kind) => openStagesOf(kind).map((stage) => ({ kind, stage })));

export const countOpenStages = (db: Kysely<Database>): Promise<readonly StageCount[]> => countStages(db, openStages);

export async function countOwnTrouble(db: Kysely<Database>): Promise<BoundedCount> {
  const [count] = await runCounts(db, [countSubjects(hasOwnTrouble)]);
  return count;
}

/** By the time of recording, or of the newest event, whichever was earlier. */
export async function countShippedLate(db: Kysely<Database>, since: number): Promise<BoundedCount> {
  const shipped = sql`select stage_since, last_event_at, due_at from ${sql.table('subjects')}
    where kind = ${sql.lit(mainKind)} and stage = 'confirmed' and stage_since >= ${since} order by stage_since limit ${COUNTED}`;
  const late = sql`(${shipped}) as shipped where stage_since > due_at and last_event_at > due_at`;
  const [count] = await runCounts(db, [countRows(late, 'stage_since')]);
  return count;
}

export const dueStates = ['overdue', 'willMiss', 'atRisk', 'soon'] as const;

type DueCounts = Readonly<Record<(typeof dueStates)[number], BoundedCount>>;

export async function countDueBy(db: Kysely<Database>, now: number): Promise<DueCounts> {
  const counted = await countEach(db, dueStates, (state) => countDue(isDue[state](now)));
  return Object.fromEntries(counted.map(({ item, ...count }) => [item, count])) as DueCounts;
}
