import { sql } from 'kysely';
import type { StoredCounts } from '../admin/ports.ts';
import { unannounced } from './admin-subjects.ts';
import type { StoreDeps } from './store-deps.ts';

/** Counts what an operator wants to know of the whole; what was acknowledged is too much to be counted. */
export async function countStored({ db }: Pick<StoreDeps, 'db'>): Promise<StoredCounts> {
  const parkedEvents = await db
    .selectFrom('inbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('parked_reason', 'is not', null)
    .executeTakeFirstOrThrow();
  const open = await db
    .selectFrom('announcements')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('parked_at').as('parked')])
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow();
  const subjects = await db
    .selectFrom('subjects')
    .select(({ fn }) => ['kind', 'stage', fn.countAll<number>().as('count')])
    .groupBy(['kind', 'stage'])
    .orderBy('kind')
    .orderBy('stage')
    .execute();
  const stalled = await db
    .selectFrom('subjects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('needs_attention', '=', 1)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${unannounced} group by tenant, kind, subject_id) as subject`.execute(db);
  return {
    parkedEvents: parkedEvents.count,
    announcements: { unsent: open.all - open.parked, parked: open.parked },
    subjects,
    attention: { stalled: stalled.count, unannounced: rows[0]?.count ?? 0 },
  };
}
