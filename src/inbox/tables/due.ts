import { type Insertable, type Kysely, type OnConflictBuilder, type RawBuilder, sql, type Transaction } from 'kysely';
import { atMostEvery } from '../../base/loop.ts';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import {
  type Clock,
  fixed,
  isPostgres,
  readTime,
  skipLocked,
  type TimeParameter,
  timeOf,
} from '../../store/engines/dialect.ts';
import { changeRows, prepared, putRows } from '../../store/rows.ts';
import type { Database, SharedDeps } from '../../store/schema.ts';
import { closeChecked, isToCheck } from './left-to-do.ts';
import { readWaiting } from './waiting.ts';

/** Per waiting row, and at most: events coalesce, and a burst is accepted first. */
const LINGER_PER_ROW_MS = 5;
const MAX_LINGER_MS = 1000;

export const wakeTime = (clock: Clock, waiting: number): RawBuilder<number> =>
  sql`${clock()} + ${Math.min(MAX_LINGER_MS, LINGER_PER_ROW_MS * waiting)}`;

/** As in the index. */
const isToWake = sql<boolean>`step = 'wake'`;

/** Between two readings from the beginning. */
const WHOLE_EVERY_MS = 60_000;

/** A row that is committed later waits for a reading from the beginning. */
const COMMITTED_WITHIN_MS = 30_000;

/** PostgreSQL keeps rows that were taken in the index while any transaction is open; every reading would step over all of them. */
function createHorizon() {
  let from = 0;
  const beginAnew = atMostEvery(WHOLE_EVERY_MS, () => {
    from = 0;
  });
  return {
    from(): number {
      beginAnew();
      return from;
    },
    /** Nothing was due before this time. */
    reached(at: number): void {
      from = at - COMMITTED_WITHIN_MS;
    },
  };
}

/**
 * End of an insert for arrived events. A woken subject will record these, too. The row is locked in any case, so that a recording at the
 * same time sees the events or is seen; insert by ascending keys, or two could wait for each other.
 */
export const unlessWoken = (conflict: OnConflictBuilder<Database, 'due'>) =>
  conflict
    .column('subject_key')
    .doUpdateSet(({ ref }) => ({
      step: ref('excluded.step'),
      at: ref('excluded.at'),
      attempts: ref('excluded.attempts'),
    }))
    .where(sql<boolean>`due.step in ('recorded', 'idle')`);

/** JavaScript's order, whatever the database's collation: everybody locks rows in the same one. */
export const ascending = (db: Kysely<Database>, key: RawBuilder<unknown>): RawBuilder<unknown> =>
  isPostgres(db) ? sql`${key} collate "C"` : key;

interface Look extends TimeParameter {
  /** None is due before it. */
  readonly from: number;
}

const takeToWake = prepared((db, look: Look & { readonly limit: number }) => {
  const time = fixed(timeOf(look));
  const page = db
    .selectFrom('due')
    .select(['subject_key', 'at'])
    .where(isToWake)
    .where('at', '>=', look.from)
    .where('at', '<=', time)
    .orderBy('at')
    .limit(look.limit)
    .modifyEnd(skipLocked(db));
  return (
    db
      .with('page', () => page)
      .updateTable('due')
      .set(({ eb }) => ({ step: 'woken', at: time, attempts: eb('attempts', '+', 1) }))
      .from('page')
      .whereRef('due.subject_key', '=', 'page.subject_key')
      .returning(['due.subject_key as key', 'attempts'])
      // SQLite cannot return it, and does not need it.
      .returning((isPostgres(db) ? sql<number>`page.at` : sql<number>`0`).as('wasAt'))
  );
});

const selectNextToWake = prepared((db, look: Look) =>
  db
    .selectFrom('due')
    .select(({ fn }) => [fn.min<number | null>('at').as('at'), fixed(timeOf(look)).as('time')])
    .where(isToWake)
    .where('at', '>=', look.from),
);

export interface DueSubject {
  readonly key: string;
  /** Wakes since it was last recorded, this one included. */
  readonly attempts: number;
}

/**
 * Due to be woken, or, once woken or recorded, to be looked at if nothing happens. Shared by all processes. @throws DocklineError
 * `ERR_STORE_UNAVAILABLE`
 */
export type Due = ReturnType<typeof createDue>;

export function createDue({ db, clock }: SharedDeps) {
  const wakes = createHorizon();
  const checks = createHorizon();
  return {
    async takeWakes(limit: number): Promise<readonly DueSubject[]> {
      const taken = await takeToWake(db, { limit, from: wakes.from(), ...readTime(clock) });
      if (taken.length > 0) wakes.reached(Math.min(...taken.map((row) => row.wasAt)));
      return taken.map(({ wasAt: _, ...subject }) => subject);
    },

    async nextWakeInMs(): Promise<number | undefined> {
      const [next] = await selectNextToWake(db, { from: wakes.from(), ...readTime(clock) });
      if (!next) return undefined;
      const { at, time } = next;
      wakes.reached(at === null ? time : Math.min(at, time));
      return at === null ? undefined : Math.max(0, at - time);
    },

    schedule: (
      keys: readonly string[],
      { inMs = 0, attempts = 0 }: { readonly inMs?: number; readonly attempts?: number } = {},
    ): Promise<void> => put(db, keys, { step: 'wake', at: sql`${clock()} + ${inMs}`, attempts }),

    /** As if the subject had just been recorded. */
    check: (key: string): Promise<void> => put(db, [key], { step: 'recorded', at: clock(), attempts: 0 }),

    /**
     * Takes subjects that were woken or recorded at least this long ago, and not since, longest first. `open` have something to record,
     * send or fetch; the others are done with.
     */
    async takeChecks(
      ageMs: number,
      limit: number,
    ): Promise<{ readonly taken: number; readonly open: readonly string[] }> {
      const page = await db
        .selectFrom('due')
        .select(['subject_key as key', 'at', sql<number>`${clock()} - ${ageMs}`.as('until')])
        .where(isToCheck)
        .where('at', '>=', checks.from())
        .where('at', '<=', sql<number>`${fixed(clock())} - ${ageMs}`)
        .orderBy('at')
        .limit(limit)
        .execute();
      const [{ at, until } = { at: 0, until: 0 }] = page;
      if (page.length > 0) checks.reached(at);
      const keys = page.map(({ key }) => key);
      return { taken: keys.length, open: await closeChecked(db, keys, { clock, until }) };
    },

    /** Makes due again what was woken before this process started, if no other process can have done that. */
    async reset(): Promise<void> {
      // On PostgreSQL another process may have woken them; those that nobody has are found by their age.
      if (isPostgres(db)) return;
      await changeRows(db, 'due', { step: 'woken' }).set({ step: 'wake', at: clock() }).execute();
    },

    async repair(): Promise<void> {
      const now = fixed(clock());
      const set = db.updateTable('due').set({ at: now });
      await set.where(isToWake).where('at', '>', sql<number>`${now} + ${MAX_LINGER_MS}`).execute();
      await set.where(isToCheck).where('step', '<>', 'idle').where('at', '>', now).execute();
    },
  };
}

async function put(
  db: Kysely<Database>,
  keys: readonly string[],
  row: Pick<Insertable<Database['due']>, 'step' | 'attempts'> & { readonly at: RawBuilder<number> },
): Promise<void> {
  if (keys.length === 0) return;
  const rows = keys.toSorted().map((subject_key) => ({ subject_key, ...row }));
  await putRows(db, 'due', rows, row).execute();
}

export const makeDue = (transaction: Transaction<Database>, subjects: readonly SubjectRef[], clock: Clock) =>
  put(transaction, [...new Set(subjects.map(subjectKey))], { step: 'wake', at: clock(), attempts: 0 });

/** Returns the names of events that still wait: the workflow is not woken for them. */
export async function markRecorded(
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
