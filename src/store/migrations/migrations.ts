import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { DocklineError } from '../../domain/errors.ts';
import { firstMigration } from './first.ts';

/** Every change of the schema by its name; names sort in the order in which they run. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': firstMigration,
};

/**
 * Brings the schema up to the newest migration, forward only; processes that do it at once wait for the first.
 *
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` for a store that a newer version wrote, or when a migration fails
 */
export async function migrate<Schema>(db: Kysely<Schema>, name: string, known = migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...known }) } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  const unknown = await findUnknown(db, known);
  const reason = unknown
    ? `was written by a newer version of Dockline: it has the migration "${unknown}", which this version does not know`
    : `could not be brought up to date: ${error instanceof Error ? error.message : String(error)}`;
  throw new DocklineError('ERR_STORE_UNAVAILABLE', `The store ${name} ${reason}`, { cause: error });
}

async function findUnknown<Schema>(db: Kysely<Schema>, known: typeof migrations): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.find(({ name }) => !(name in known))?.name;
  } catch {
    // Without that table nothing ever ran, so nothing unknown did.
    return undefined;
  }
}
