import { type Insertable, type Kysely, type OnConflictBuilder, type RawBuilder, sql, type Transaction } from 'kysely';
import { parseSubjectKey, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Due } from '../../inbox/due.ts';
import { type Clock, fixed } from '../engines/clock.ts';
import { isPostgres, skipLocked } from '../engines/dialect.ts';
import { type Database, type SharedDeps, subjectColumns, subjectIn } from '../schema.ts';
import { isUnsent } from './announcements.ts';
import { readWaiting, waitingRows } from './waiting.ts';

/** Time for which a subject lingers per row that waits, and at most, in milliseconds: its events coalesce, and a burst is accepted first. */
const LINGER_PER_ROW_MS = 5;
const MAX_LINGER_MS = 1000;

/** Returns the time at which a subject is to be woken for an event that arrives while others wait. */
export const wakeTime = (clock: Clock, waiting: number): RawBuilder<number> =>
  sql`${clock()} + ${Math.min(MAX_LINGER_MS, LINGER_PER_ROW_MS * waiting)}`;

/** Condition of subjects that are to be woken, as in their index. */
const isToWake = sql<boolean>`step = 'wake'`;

/** Condition of subjects that were woken or recorded, as in their index. */
const isToCheck = sql<boolean>`step <> 'wake'`;

/**
 * End of an insert of subjects for which events have arrived. One that was woken will record these, too. The row is locked in any case, so
 * that a recording at the same time sees the events or is seen by the insert; insert by ascending keys, or two could wait for each other.
 */
export const unlessWoken = (conflict: OnConflictBuilder<Database, 'due'>) =>
  conflict
    .column('subject_key')
    .doUpdateSet(({ ref }) => ({
      step: ref('excluded.step'),
      at: ref('excluded.at'),
      attempts: ref('excluded.attempts'),
    }))
    .where(sql<boolean>`due.step in ('recorded', 'asleep')`);

/** Creates the list of subjects that are due. */
export function createDue({ db, clock }: SharedDeps): Due {
  return {
    async takeWakes(limit) {
      const time = fixed(clock());
      const page = db
        .selectFrom('due')
        .select('subject_key')
        .where(isToWake)
        .where('at', '<=', time)
        .orderBy('at')
        .limit(limit)
        .modifyEnd(skipLocked(db));
      return await db
        .with('page', () => page)
        .updateTable('due')
        .set(({ eb }) => ({ step: 'woken', at: time, attempts: eb('attempts', '+', 1) }))
        .where('subject_key', 'in', ({ selectFrom }) => selectFrom('page').select('page.subject_key'))
        .returning(['subject_key as key', 'attempts'])
        .execute();
    },

    async nextWakeInMs() {
      const { ms } = await db
        .selectFrom('due')
        .select(sql<number | null>`min(at) - ${clock()}`.as('ms'))
        .where(isToWake)
        .executeTakeFirstOrThrow();
      return ms === null ? undefined : Math.max(0, ms);
    },

    wake: (keys, { inMs = 0, attempts = 0 } = {}) =>
      put(db, keys, { step: 'wake', at: sql`${clock()} + ${inMs}`, attempts }),

    check: (key) => put(db, [key], { step: 'recorded', at: clock(), attempts: 0 }),

    async takeChecks(ageMs, limit) {
      const page = await db
        .selectFrom('due')
        .select(['subject_key as key', sql<number>`${clock()} - ${ageMs}`.as('until')])
        .where(isToCheck)
        .where('at', '<=', sql<number>`${fixed(clock())} - ${ageMs}`)
        .orderBy('at')
        .limit(limit)
        .execute();
      const [{ until } = { until: 0 }] = page;
      const keys = page.map(({ key }) => key);
      return { taken: keys.length, open: await sortOut(db, keys, { clock, until }) };
    },

    async reset() {
      // On PostgreSQL another process may have woken them; those that nobody has are found by their age.
      if (isPostgres(db)) return;
      await db.updateTable('due').set({ step: 'wake', at: clock() }).where('step', '=', 'woken').execute();
    },

    async mend() {
      const now = fixed(clock());
      const set = db.updateTable('due').set({ at: now });
      await set.where(isToWake).where('at', '>', sql<number>`${now} + ${MAX_LINGER_MS}`).execute();
      await set.where(isToCheck).where('step', '<>', 'asleep').where('at', '>', now).execute();
    },
  };
}

type DueRow = Insertable<Database['due']>;

/** Writes rows that replace others of their subjects, by ascending keys. */
async function put(
  db: Kysely<Database>,
  keys: readonly string[],
  row: Pick<DueRow, 'step' | 'attempts'> & { readonly at: RawBuilder<number> },
): Promise<void> {
  if (keys.length === 0) return;
  await db
    .insertInto('due')
    .values(keys.toSorted().map((subject_key) => ({ subject_key, ...row })))
    .onConflict((conflict) => conflict.column('subject_key').doUpdateSet(row))
    .execute();
}

/** Makes subjects due to be woken now, within a transaction that gives their workflows something to do. */
export const makeDue = (transaction: Transaction<Database>, keys: readonly string[], clock: Clock): Promise<void> =>
  put(transaction, keys, { step: 'wake', at: clock(), attempts: 0 });

/**
 * Notes within the transaction of a recording that its subject is to be looked at, and returns the names of the events that still wait
 * for it. Its workflow learns of those from here, and is not woken for them.
 */
export async function settle(
  transaction: Transaction<Database>,
  key: string,
  clock: Clock,
): Promise<readonly string[]> {
  // Before the events are read: an insert of others waits for it, or is seen.
  await put(transaction, [key], { step: 'recorded', at: clock(), attempts: 0 });
  const { names } = await readWaiting(transaction, key);
  if (names.length > 0) await put(transaction, [key], { step: 'woken', at: clock(), attempts: 1 });
  return names;
}

/**
 * Returns those of the subjects that have something left to do, and deletes or puts off the others. Leaves those alone that were woken,
 * recorded or taken by others since `until`.
 */
async function sortOut(
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
    .selectFrom('announcements')
    .select(['tenant', 'kind', 'subject_id'])
    .distinct()
    .where(isUnsent)
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
