import { type Kysely, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { DocklineError, messageOf } from '../../domain/errors.ts';
import { isPostgres } from '../engines/dialect.ts';
import { migrations, readVersion } from './version.ts';

/**
 * Forward only, in one transaction. Of several processes one migrates and the others wait.
 * @throws DocklineError `ERR_STORE_UNAVAILABLE` if a newer version wrote the store, its tables are not those of its version, or a migration
 * fails
 */
export async function migrate<Schema>(db: Kysely<Schema>, name: string, known = migrations): Promise<void> {
  try {
    await db.transaction().execute((transaction) => migrateIn(transaction, name, known));
  } catch (error) {
    if (error instanceof DocklineError) throw error;
    const options = { cause: error };
    throw new DocklineError(
      'ERR_STORE_UNAVAILABLE',
      `The store ${name} cannot be migrated: ${messageOf(error)}`,
      options,
    );
  }
}

async function migrateIn<Schema>(db: Transaction<Schema>, name: string, known: typeof migrations): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${MIGRATIONS})`.execute(db);
  const { pending, fault } = await readVersion(db, known);
  if (fault) throw new DocklineError('ERR_STORE_UNAVAILABLE', `The store ${name} ${fault.reason}. ${fault.advice}`);
  if (pending.length === 0) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...known }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Any number that nothing else locks. */
const MIGRATIONS = 3_853_314_791;
