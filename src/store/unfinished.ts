import { type RawBuilder, sql, type Transaction } from 'kysely';
import { kindsOverOnceCompleted, lastOrderStages } from '../domain/lifecycle/stage.ts';
import type { Database } from './schema.ts';

const listOf = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

/** Must match the index by age. */
export const isOpen = sql<boolean>`stage not in (${listOf(lastOrderStages)})`;

/** Must match the index of open subjects. */
export const isBelievedOpen = sql<boolean>`${isOpen}
  and not (stage = 'completed' and kind in (${listOf(kindsOverOnceCompleted)}))`;

export const needsAttention = sql<boolean>`needs_attention = 1`;

export const isUnfinished = sql<boolean>`(${needsAttention} or ${isBelievedOpen})`;

export const takenByNobody = { taken_by: null, taken_at: null } as const;

export async function giveBackFinished(
  transaction: Transaction<Database>,
  isAmong: RawBuilder<boolean>,
): Promise<void> {
  const taken = transaction.updateTable('subjects').where('taken_by', 'is not', null).where(isAmong);
  await taken.where(sql<boolean>`not ${isUnfinished}`).set(takenByNobody).execute();
}
