import type { Kysely } from 'kysely';
import type { InboxRows } from '../../inbox/rows.ts';
import { isPostgres } from '../engines/dialect.ts';
import type { Database } from '../schema.ts';
import type { StoreDeps } from '../store-deps.ts';
import { waitingRows } from './waiting-rows.ts';

/** How many events are named to a workflow that is woken. */
const NAMES = 20;

/** Keeps, for all dispatchers together, which workflows were woken and have not recorded what waits for them. */
export function createDispatches({
  db,
  now,
}: StoreDeps): Pick<InboxRows, 'begin' | 'abandon' | 'overdue' | 'stranded' | 'beginAnew'> {
  return {
    async begin(subjectKey) {
      const names = await namesWaiting(db, subjectKey);
      if (names.length === 0) return undefined;
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('dispatches')
        .values({ subject_key: subjectKey, dispatched_at: now() })
        .onConflict((conflict) => conflict.column('subject_key').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows ? names : undefined;
    },

    async abandon(subjectKey) {
      await db.deleteFrom('dispatches').where('subject_key', '=', subjectKey).execute();
    },

    async overdue(ageMs, limit) {
      const oldest = db
        .selectFrom('dispatches')
        .select('subject_key')
        .where('dispatched_at', '<=', now() - ageMs)
        .orderBy('dispatched_at')
        .limit(limit);
      const rows = await db
        .updateTable('dispatches')
        .set({ dispatched_at: now() })
        .where('subject_key', 'in', isPostgres(db) ? oldest.forUpdate().skipLocked() : oldest)
        .returning('subject_key as key')
        .execute();
      return rows.map(({ key }) => key);
    },

    async stranded(ageMs, limit) {
      if (!isPostgres(db)) return [];
      const rows = await waitingRows(db)
        .select('subject_key as key')
        .distinct()
        .where('received_at', '<=', now() - ageMs)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(selectFrom('dispatches').selectAll().whereRef('dispatches.subject_key', '=', 'inbox.subject_key')),
          ),
        )
        .limit(limit)
        .$narrowType<{ key: string }>()
        .execute();
      return rows.map(({ key }) => key);
    },

    async beginAnew() {
      // Of several processes another one may just be at it; what it leaves is overdue in time.
      if (!isPostgres(db)) await db.deleteFrom('dispatches').execute();
    },
  };
}

/** The names of the oldest events that wait for a subject. */
export async function namesWaiting(db: Kysely<Database>, subjectKey: string): Promise<readonly string[]> {
  const rows = await waitingRows(db)
    .select('event')
    .where('subject_key', '=', subjectKey)
    .orderBy('id')
    .limit(NAMES)
    .execute();
  return rows.map(({ event }) => nameIn(event));
}

/** Only another version can have written one without a name. */
function nameIn(event: string | null): string {
  try {
    return String(JSON.parse(event ?? '').name);
  } catch {
    return 'unreadable';
  }
}
