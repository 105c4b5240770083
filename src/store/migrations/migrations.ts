import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { DocklineError, messageOf } from '../../domain/errors.ts';
import { isPostgres } from '../engines/dialect.ts';
import { firstMigration } from './first.ts';

/** Changes of the schema by name, in the sort order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': firstMigration,
};

/**
 * Migrates the schema to the newest version, forward only. Of several processes one migrates and the others wait.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` if a newer version wrote the store or a migration fails
 */
export async function migrate<Schema>(db: Kysely<Schema>, name: string, known = migrations): Promise<void> {
  const error = await migrateIn(db, known);
  if (error === undefined) return;
  const unknown = await findUnknown(db, known);
  const reason = unknown
    ? `was written by a newer version of Dockline: this version does not know the migration "${unknown}"`
    : `cannot be migrated: ${messageOf(error)}`;
  throw new DocklineError('ERR_STORE_UNAVAILABLE', `The store ${name} ${reason}`, { cause: error });
}

/** Migrates in one transaction, which holds the lock; returns the failure. */
async function migrateIn<Schema>(db: Kysely<Schema>, known: typeof migrations): Promise<unknown> {
  try {
    await db.transaction().execute(async (transaction) => {
      if (isPostgres(transaction)) await sql`select pg_advisory_xact_lock(${MIGRATIONS})`.execute(transaction);
      const migrator = new Migrator({ db: transaction, provider: { getMigrations: async () => ({ ...known }) } });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
    });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Any number that nothing else locks. */
const MIGRATIONS = 3_853_314_791;

async function findUnknown<Schema>(db: Kysely<Schema>, known: typeof migrations): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.find(({ name }) => !(name in known))?.name;
  } catch {
    // Without the table no migration ever ran.
    return undefined;
  }
}
