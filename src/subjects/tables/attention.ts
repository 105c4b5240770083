import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Attention, attentions } from '../../domain/lifecycle/attention.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { needsAttention } from '../../store/subjects.ts';

export const attentionColumns = ['stalled', 'unannounced', 'refused', 'retrieving', 'announcing'] as const;

export function attentionIn(
  columns: Pick<Database['subjects'], 'refused' | 'retrieving' | 'announcing'> & {
    readonly stalled: number;
    readonly unannounced: number;
  },
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
export const hasOwnTrouble = sql<boolean>`${needsAttention} and (refused is not null or unannounced = 1)`;

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
