import { sql } from 'kysely';
import type { BoardLists } from '../../../admin/board/ports.ts';
import { isPostgres } from '../../engines/dialect.ts';
import type { ListingDeps, StoreDeps } from '../../schema.ts';
import { findFailing } from '../counts.ts';
import { createDeliveries } from './deliveries.ts';
import { createOverview } from './overview.ts';
import { createSubjectChoice } from './subject-choice.ts';

/** Creates what the board reads. */
export function createBoardLists(deps: StoreDeps & ListingDeps): BoardLists {
  return {
    overview: createOverview(deps),
    ...createSubjectChoice(deps),
    ...createDeliveries(deps),
    failing: () => findFailing(deps.reads),
    cursor: createCursor(deps),
  };
}

/**
 * Creates a function that returns a text that changes with every write, and costs nothing to compute. SQLite counts the rows that its only
 * connection has written. PostgreSQL's snapshot changes when a writing transaction begins or ends, in any database of the server.
 */
function createCursor({ db }: Pick<StoreDeps, 'db'>): () => Promise<string> {
  const query = isPostgres(db)
    ? sql<{ cursor: string }>`select pg_current_snapshot()::text as cursor`
    : sql<{ cursor: number }>`select total_changes() as cursor`;
  return async () => String((await query.execute(db)).rows[0]?.cursor);
}
