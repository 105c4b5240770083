import type { Kysely } from 'kysely';
import type { Outbox, Resources, Subjects } from '../../activities/ports.ts';
import type { KnownSubjects } from '../../activities/sweep-ports.ts';
import type { InboxRows } from '../inbox/rows.ts';
import { connectToPostgres, connectToSqlite } from './connections.ts';
import { createForgetting, type Forgetting } from './forgetting.ts';
import { createInboxRows } from './inbox-rows.ts';
import { createOutbox } from './outbox.ts';
import { createResources } from './resources.ts';
import type { Database } from './schema.ts';
import { createSubjectSearch } from './subject-search.ts';
import { createSubjects } from './subjects.ts';
import { createSummary, type Summary } from './summary.ts';

/** Everything that Dockline keeps, behind the ports of those who use it. */
export interface Store {
  readonly db: Kysely<Database>;
  readonly inbox: InboxRows;
  readonly subjects: Subjects;
  readonly known: KnownSubjects;
  readonly outbox: Outbox;
  readonly resources: Resources;
  readonly summary: Summary;
  readonly forgetting: Forgetting;
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
    return {
      db,
      inbox: await createInboxRows({ ...connections, now }),
      subjects: createSubjects({ ...connections, now }),
      known: createSubjectSearch({ db, now }),
      outbox: createOutbox({ db, now }),
      resources: createResources({ db, now }),
      summary: createSummary({ db }),
      forgetting: createForgetting(connections),
      close: connections.close,
    };
  } catch (error) {
    await connections.close();
    throw error;
  }
}
