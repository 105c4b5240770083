import { type Kysely, sql } from 'kysely';
import type { ClaimedRows, InboxRows } from '../inbox/rows.ts';
import { isPostgres } from './dialect.ts';
import type { Database } from './schema.ts';
import { waitingRows } from './waiting-rows.ts';

interface ClaimDeps {
  readonly claims: Kysely<Database>;
  readonly now: () => number;
  /** Told how many rows wait no more, once that is committed. */
  readonly onLeft: (count: number) => void;
}

/**
 * Claims subjects. With PostgreSQL a claim is a lock that ends with its transaction, so it never outlives its process or its
 * connection. A SQLite file has one process, and its one connection must not be kept while events travel.
 */
export function createClaim(deps: ClaimDeps): InboxRows['claim'] {
  return isPostgres(deps.claims) ? claimByLock(deps) : claimAlone(deps);
}

const claimAlone = ({ claims, now, onLeft }: ClaimDeps): InboxRows['claim'] => {
  return async (subjectKey, serve) => ({ served: await serve(rowsOf({ db: claims, subjectKey, now, onLeft })) });
};

const claimByLock = ({ claims, now, onLeft }: ClaimDeps): InboxRows['claim'] => {
  return async (subjectKey, serve) => {
    let left = 0;
    const claim = await claims.transaction().execute(async (db) => {
      if (!(await lock(db, subjectKey))) return undefined;
      // A statement of its own: what it sees must have been committed after the lock was free.
      return { served: await serve(rowsOf({ db, subjectKey, now, onLeft: (count) => (left += count) })) };
    });
    onLeft(left);
    return claim;
  };
};

async function lock(db: Kysely<Database>, subjectKey: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${subjectKey}, 0)) as mine`.execute(db);
  return rows[0]?.mine === true;
}

function rowsOf({
  db,
  subjectKey,
  now,
  onLeft,
}: Pick<ClaimDeps, 'now' | 'onLeft'> & { readonly db: Kysely<Database>; readonly subjectKey: string }): ClaimedRows {
  async function change(
    ids: readonly number[],
    values: { readonly dispatched_at: number } | { readonly parked_reason: string },
  ): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('inbox')
      .set(values)
      .where('id', 'in', ids)
      .where('dispatched_at', 'is', null)
      .where('parked_reason', 'is', null)
      .executeTakeFirst();
    onLeft(Number(numUpdatedRows));
  }

  return {
    waiting: (limit) =>
      waitingRows(db)
        .select(['id', 'event'])
        .where('subject_key', '=', subjectKey)
        .orderBy('id')
        .limit(limit)
        .$narrowType<{ event: string }>()
        .execute(),
    markDispatched: (ids) => change(ids, { dispatched_at: now() }),
    park: (ids, reason) => change(ids, { parked_reason: reason }),
  };
}
