import { type Kysely, type RawBuilder, sql } from 'kysely';
import { parseSubjectKey, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Clock } from '../engines/clock.ts';
import { skipLocked } from '../engines/dialect.ts';
import { type Database, subjectColumns, subjectIn } from '../schema.ts';
import { isHeld, isUnsent } from './outgoing.ts';
import { waitingRows } from './waiting.ts';

/** Condition of subjects that were woken or recorded, as in their index. */
export const isToCheck = sql<boolean>`step <> 'wake'`;

/**
 * Returns those of the subjects that have something left to do, and deletes or puts off the others. Leaves those alone that were woken,
 * recorded or taken by others since `until`.
 */
export async function sortOut(
  db: Kysely<Database>,
  keys: readonly string[],
  { clock, until }: { readonly clock: Clock; readonly until: number },
): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const sleepers = await findSleepers(db, keys);
  const left = new Set([
    ...(await findWaiting(db, keys)),
    ...(await findUnsent(db, keys)),
    ...sleepers.flatMap(({ key, at }) => (at <= until ? [key] : [])),
  ]);
  const asleep = sleepers.filter(({ key }) => !left.has(key));
  for (const { key, at } of asleep) {
    await stillDue(db, [key], until).updateTable('due').set({ step: 'asleep', at }).where(isStillDue).execute();
  }
  const isOver = (key: string) => !left.has(key) && !asleep.some((sleeper) => sleeper.key === key);
  await stillDue(db, keys.filter(isOver), until).deleteFrom('due').where(isStillDue).execute();
  const open = await stillDue(db, [...left], until)
    .updateTable('due')
    .set({ at: clock() })
    .where(isStillDue)
    .returning('subject_key as key')
    .execute();
  return open.map(({ key }) => key);
}

/** Begins a query with those of the subjects that nobody has woken, recorded or taken since a time, or has in hand now. */
const stillDue = (db: Kysely<Database>, keys: readonly string[], until: number) =>
  db.with('still', () =>
    db
      .selectFrom('due')
      .select('subject_key')
      .where('subject_key', 'in', keys.length > 0 ? keys : [''])
      .where(isToCheck)
      .where('at', '<=', until)
      .modifyEnd(skipLocked(db)),
  );

const isStillDue = sql<boolean>`subject_key in (select subject_key from still)`;

async function findWaiting(db: Kysely<Database>, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await waitingRows(db)
    .select('subject_key as key')
    .distinct()
    .where('subject_key', 'in', keys)
    .$narrowType<{ key: string }>()
    .execute();
  return rows.map(({ key }) => key);
}

async function findUnsent(db: Kysely<Database>, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['tenant', 'kind', 'subject_id'])
    .distinct()
    .where(isUnsent)
    .where(({ not }) => not(isHeld))
    .where(isOneOf(keys))
    .execute();
  return rows.map((row) => subjectKey(subjectIn(row)));
}

/** Finds subjects whose records are to be fetched again, each with the time of that. */
async function findSleepers(db: Kysely<Database>, keys: readonly string[]) {
  const rows = await db
    .selectFrom('subjects')
    .select(['tenant', 'kind', 'subject_id', 'look_again_at as at'])
    .where('look_again_at', 'is not', null)
    .where(isOneOf(keys))
    .$narrowType<{ at: number }>()
    .execute();
  return rows.map(({ at, ...row }) => ({ key: subjectKey(subjectIn(row)), at }));
}

/** Condition of rows of the subjects with the keys. */
function isOneOf(keys: readonly string[]): RawBuilder<boolean> {
  const subjects = keys.flatMap((key) => parseSubjectKey(key) ?? []).map((it) => Object.values(subjectColumns(it)));
  if (subjects.length === 0) return sql`1 = 0`;
  return sql`(tenant, kind, subject_id) in (values ${sql.join(subjects.map((it) => sql`(${sql.join(it)})`))})`;
}
