import { type Kysely, type RawBuilder, sql } from 'kysely';
import { parseSubjectKey, type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { type Clock, skipLocked } from '../../store/engines/dialect.ts';
import { isOfPaused, isUnsentOfSubject } from '../../store/outbox-conditions.ts';
import { type Database, subjectColumns, subjectIn } from '../../store/schema.ts';
import { waitingRowsOf } from './waiting.ts';

/** As in the index. */
export const isToCheck = sql<boolean>`step <> 'wake'`;

/** The others are deleted or put off, except those woken, recorded or taken since `until`. */
export async function closeChecked(
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
  const idle = sleepers.filter(({ key }) => !left.has(key));
  for (const { key, at } of idle) {
    await stillDue(db, [key], until).updateTable('due').set({ step: 'idle', at }).where(isStillDue).execute();
  }
  const isOver = (key: string) => !left.has(key) && !idle.some((sleeper) => sleeper.key === key);
  await stillDue(db, keys.filter(isOver), until).deleteFrom('due').where(isStillDue).execute();
  const open = await stillDue(db, [...left], until)
    .updateTable('due')
    .set({ at: clock() })
    .where(isStillDue)
    .returning('subject_key as key')
    .execute();
  return open.map(({ key }) => key);
}

const stillDue = (db: Kysely<Database>, keys: readonly string[], until: number) =>
  db.with('still', () =>
    db
      .selectFrom('due')
      .select('subject_key')
      .where('subject_key', 'in', keys.length > 0 ? keys : [''])
      // Not as the index by time has it, since the keys are known.
      .where(sql<boolean>`coalesce(step, '') <> 'wake'`)
      .where('at', '<=', until)
      .modifyEnd(skipLocked(db)),
  );

const isStillDue = sql<boolean>`subject_key in (select subject_key from still)`;

async function findWaiting(db: Kysely<Database>, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await waitingRowsOf(db, keys)
    .select('subject_key as key')
    .distinct()
    .$narrowType<{ key: string }>()
    .execute();
  return rows.map(({ key }) => key);
}

async function findUnsent(db: Kysely<Database>, keys: readonly string[]): Promise<readonly string[]> {
  const asked = valuesOf(keys);
  if (asked.length === 0) return [];
  const unsent = db
    .selectFrom('outbox')
    .select('announcement')
    .where(sql<boolean>`(tenant, kind, subject_id) = (asked.tenant, asked.kind, asked.id)`)
    .where(isUnsentOfSubject)
    .where(({ not }) => not(isOfPaused))
    // With an offset PostgreSQL looks for each subject by itself, and does not read the whole index instead.
    .limit(1)
    .offset(0);
  const { rows } = await sql<SubjectRef>`
    with asked (tenant, kind, id) as (values ${sql.join(asked)})
    select tenant, kind, id from asked where exists ${unsent}`.execute(db);
  return rows.map(subjectKey);
}

async function findSleepers(db: Kysely<Database>, keys: readonly string[]) {
  const asked = valuesOf(keys);
  if (asked.length === 0) return [];
  const rows = await db
    .selectFrom('subjects')
    .select(['tenant', 'kind', 'subject_id', 'look_again_at as at'])
    .where('look_again_at', 'is not', null)
    .where(sql<boolean>`(tenant, kind, subject_id) in (values ${sql.join(asked)})`)
    .$narrowType<{ at: number }>()
    .execute();
  return rows.map(({ at, ...row }) => ({ key: subjectKey(subjectIn(row)), at }));
}

const valuesOf = (keys: readonly string[]): readonly RawBuilder<unknown>[] =>
  keys.flatMap((key) => parseSubjectKey(key) ?? []).map((it) => sql`(${sql.join(Object.values(subjectColumns(it)))})`);
