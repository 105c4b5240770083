import { type Kysely, sql, type Transaction } from 'kysely';
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
  try {
    const isNewest = (await appliedMigrations(db)).join() === Object.keys(known).join();
    if (!isNewest) await db.transaction().execute((transaction) => migrateIn(transaction, known));
  } catch (error) {
    const applied = await appliedMigrations(db).catch(() => []);
    const unknown = applied.find((migration) => !(migration in known));
    const reason = unknown
      ? `was written by a newer version of Dockline: this version does not know the migration "${unknown}"`
      : `cannot be migrated: ${messageOf(error)}`;
    throw new DocklineError('ERR_STORE_UNAVAILABLE', `The store ${name} ${reason}`, { cause: error });
  }
}

/** Migrates in a transaction, which holds the lock. */
async function migrateIn<Schema>(db: Transaction<Schema>, known: typeof migrations): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${MIGRATIONS})`.execute(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...known }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Any number that nothing else locks. */
const MIGRATIONS = 3_853_314_791;

/** Returns the names of the migrations that were applied, in their order. */
export async function appliedMigrations<Schema>(db: Kysely<Schema>): Promise<readonly string[]> {
  const read = async () => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  };
  try {
    return await read();
  } catch {
    // Before the first migration there is no such table. Looking for it each time would take longer than reading it.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    // Read again: another process may have migrated meanwhile.
    return tables.some(({ name }) => name === 'kysely_migration') ? await read() : [];
  }
}
