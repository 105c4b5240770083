import type { Kysely, Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { attentionOf, type SavedSubject } from '../../domain/lifecycle/attention.ts';
import { stageOf } from '../../domain/lifecycle/stage.ts';
import { isPostgres } from '../engines/dialect.ts';
import { type Database, subjectColumns } from '../schema.ts';

/** Finds a subject's saved state; a transaction locks it until its end. */
export async function findSaved(db: Kysely<Database>, subject: SubjectRef): Promise<SavedSubject | undefined> {
  const row = await db
    .selectFrom('subjects')
    .select(['lifecycle', 'stage_since', 'refused', 'unannounced', 'look_again_at'])
    .where(({ and }) => and(subjectColumns(subject)))
    // Its attention flags, which others write too, are saved with the rest.
    .$if(isPostgres(db) && db.isTransaction, (query) => query.forUpdate())
    .executeTakeFirst();
  return (
    row && {
      lifecycle: JSON.parse(row.lifecycle),
      stageSince: row.stage_since,
      refused: row.refused === null ? [] : JSON.parse(row.refused),
      isUnannounced: row.unannounced === 1,
      ...(row.look_again_at !== null && { lookAgainAt: row.look_again_at }),
    }
  );
}

/** Saves a subject's state. A complete retrieval ends the note of a failing one. */
export async function saveSubject(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  saved: SavedSubject,
  { now, retrieved }: { readonly now: number; readonly retrieved: boolean },
): Promise<void> {
  const { lifecycle, stageSince, refused, lookAgainAt } = saved;
  const { snapshot } = lifecycle;
  const attention = attentionOf(saved);
  const row = {
    stage: stageOf(lifecycle),
    stage_since: stageSince,
    revision: lifecycle.revision,
    lifecycle: JSON.stringify(lifecycle),
    reference_number: snapshot?.referenceNumber ?? null,
    customer_id: snapshot?.customerId ?? null,
    facility_id: snapshot?.facilityId ?? null,
    last_event_at: lifecycle.lastEventTime,
    updated_at: now,
    stalled: attention.includes('stalled') ? 1 : 0,
    unannounced: attention.includes('unannounced') ? 1 : 0,
    refused: attention.includes('refused') ? JSON.stringify(refused) : null,
    look_again_at: lookAgainAt ?? null,
    ...(retrieved && { retrieving: null }),
  };
  await transaction
    .insertInto('subjects')
    .values({ ...subjectColumns(subject), ...row })
    .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'subject_id']).doUpdateSet(row))
    .execute();
}
