import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import type { Outbox, Resources, Subjects } from '../../activities/ports.ts';
import type { InboxRows } from '../inbox/rows.ts';
import { createInboxRows } from './inbox-rows.ts';
import { migrate } from './migrations.ts';

import { createOutbox } from './outbox.ts';
import { createResources } from './resources.ts';
import type { Database } from './schema.ts';
import { adaptSqlite, openSqlite } from './sqlite.ts';
import { createSubjects } from './subjects.ts';
import { createSummary, type Summary } from './summary.ts';

/** Everything that Dockline keeps, behind the ports of those who use it. */
export interface Store {
  readonly db: Kysely<Database>;
  readonly inbox: InboxRows;
  readonly subjects: Subjects;
  readonly outbox: Outbox;
  readonly resources: Resources;
  readonly summary: Summary;
  close(): Promise<void>;
}

/**
 * Opens the store in a SQLite file, which is created with its folder and brought up to date as needed.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` when the file cannot be opened, is another process's, or is newer than the code
 */
export async function openStore({
  file,
  now = Date.now,
}: {
  readonly file: string;
  readonly now?: () => number;
}): Promise<Store> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = openSqlite(file);
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: adaptSqlite(database) }) });
  try {
    await migrate(db, file);
    return {
      db,
      inbox: await createInboxRows({ db, now }),
      subjects: createSubjects({ db, now }),
      outbox: createOutbox({ db, now }),
      resources: createResources({ db, now }),
      summary: createSummary({ db }),
      close: () => db.destroy(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
