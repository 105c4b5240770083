import type { Kysely } from 'kysely';
import type { Outbox, Resources, Subjects, Troubles } from '../../activities/ports.ts';
import type { KnownSubjects } from '../../activities/sweep-ports.ts';
import type { PatrolDeps } from '../inbox/patrol.ts';
import type { InboxRows } from '../inbox/rows.ts';
import { connectToPostgres, connectToSqlite } from './engines/connections.ts';
import { isPostgres } from './engines/dialect.ts';
import { createPurge, type Purge } from './purge.ts';
import type { Database } from './schema.ts';
import { countWaiting, createInboxRows } from './tables/inbox-rows.ts';
import { createOutbox } from './tables/outbox.ts';
import { createProcesses, type Processes } from './tables/processes.ts';
import { createResources } from './tables/resources.ts';
import { createSubjectSearch } from './tables/subject-search.ts';
import { createSubjects } from './tables/subjects.ts';
import { createSummary, type Summary } from './tables/summary.ts';
import { createTroubles } from './tables/troubles.ts';
import { createWaitingCount } from './tables/waiting-count.ts';

/** Everything that Dockline keeps, behind the ports of those who use it. */
export interface Store {
  readonly db: Kysely<Database>;
  readonly inbox: InboxRows;
  readonly subjects: Subjects;
  readonly known: KnownSubjects;
  readonly outbox: Outbox & { readonly overdue: PatrolDeps['unsent'] };
  readonly processes: Processes;
  readonly troubles: Troubles;
  readonly resources: Resources;
  readonly summary: Summary;
  readonly purge: Purge;
  close(): Promise<void>;
}

/** A SQLite file of this process alone, or a PostgreSQL database, as a connection string, for several. */
export type StoreLocation = { readonly file: string } | { readonly url: string };

/**
 * Opens the store, which is created and brought up to date as needed.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` when it cannot be reached or opened, is another process's file, or is newer than
 * the code
 */
export async function openStore({
  now = Date.now,
  ...location
}: StoreLocation & { readonly now?: () => number }): Promise<Store> {
  const connections = await ('url' in location ? connectToPostgres(location.url) : connectToSqlite(location.file));
  const { db } = connections;
  try {
    const waiting = await createWaitingCount({ count: () => countWaiting(db), isShared: isPostgres(db) });
    return {
      db,
      inbox: createInboxRows({ ...connections, now, waiting }),
      subjects: createSubjects({ ...connections, now, waiting }),
      known: createSubjectSearch({ db, now }),
      outbox: createOutbox({ db, now }),
      processes: createProcesses({ db, now }),
      troubles: createTroubles({ db, now }),
      resources: createResources({ db, now }),
      summary: createSummary({ db }),
      purge: createPurge(connections),
      close: connections.close,
    };
  } catch (error) {
    await connections.close();
    throw error;
  }
}
