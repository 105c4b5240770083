import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql, type Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { DocklineError, messageOf } from '../../domain/errors.ts';
import { isPostgres } from '../engines/dialect.ts';
import { sqliteDialect } from '../engines/sqlite.ts';
import { firstMigration } from './first.ts';

/** By version. A released one is never edited: stores that have it would not get the change. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': firstMigration,
};

/** Forward only, in one transaction. Of several processes one migrates, the others wait. @throws DocklineError `ERR_STORE_UNAVAILABLE` */
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

const MIGRATIONS = 3_853_314_791;

interface SchemaVersion {
  readonly version: number;
  readonly pending: readonly string[];
  readonly fault: SchemaFault | undefined;
}

interface SchemaFault {
  /** Rest of a sentence about the store. */
  readonly reason: string;
  readonly advice: string;
}

type Migrations = Readonly<Record<string, Migration>>;

/** Also compares the tables with those that the version has. */
export async function readVersion<Schema>(db: Kysely<Schema>, known: Migrations = migrations): Promise<SchemaVersion> {
  const found = await listColumns(db);
  const applied = found.has('kysely_migration.name') ? await listApplied(db) : [];
  const pending = Object.keys(known).filter((name) => !applied.includes(name));
  const fault =
    (await findFault(applied, found, known)) ?? (pending.length > 0 ? await findMissingRight(db) : undefined);
  return { version: versionOf(applied), pending, fault };
}

async function tablesOf(names: readonly string[], known: Migrations): Promise<ReadonlyMap<string, readonly string[]>> {
  const db = new Kysely<unknown>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });
  try {
    for (const name of names) await known[name]?.up(db);
    const columns = [...(await listColumns(db))].map((column) => column.split('.') as [string, string]);
    const tables = Map.groupBy(columns, ([table]) => table);
    return new Map([...tables].map(([table, rows]) => [table, rows.map(([, column]) => column)]));
  } finally {
    await db.destroy();
  }
}

async function findFault(
  applied: readonly string[],
  found: ReadonlySet<string>,
  known: Migrations,
): Promise<SchemaFault | undefined> {
  const unknown = applied.filter((name) => !(name in known));
  if (unknown.length > 0) return writtenByNewer(versionOf(unknown), versionOf(Object.keys(known)));
  if (applied.length === 0) return await findForeign(found, known);
  const lacking = [...(await tablesOf(applied, known))].flatMap(([table, columns]) => {
    const missing = columns.map((column) => `${table}.${column}`).filter((column) => !found.has(column));
    return missing.length === columns.length ? [table] : missing;
  });
  return lacking.length > 0 ? contradicted(versionOf(applied), lacking) : undefined;
}

/** Tables that a new store would have, in a database without a version. */
async function findForeign(found: ReadonlySet<string>, known: Migrations): Promise<SchemaFault | undefined> {
  const taken = new Set([...found].map((column) => column.split('.')[0] ?? ''));
  const foreign = [...(await tablesOf(Object.keys(known), known)).keys()].filter((table) => taken.has(table));
  if (foreign.length === 0) return undefined;
  return {
    reason: `has tables (${abridge(foreign)}), but no version of its schema in kysely_migration`,
    advice: 'Restore a complete backup, or use an empty database.',
  };
}

/** Since PostgreSQL 15 only its owner may create tables in the schema `public`; one that the user may not use is not even found. */
async function findMissingRight<Schema>(db: Kysely<Schema>): Promise<SchemaFault | undefined> {
  if (!isPostgres(db)) return undefined;
  const { rows } = await sql<{ schema: string; user: string; mayCreate: boolean | null }>`
    select quote_ident(coalesce(current_schema(), 'public')) as schema, quote_ident(current_user) as user,
      has_schema_privilege(current_schema(), 'create') as "mayCreate"`.execute(db);
  const [{ schema, user, mayCreate } = {}] = rows;
  if (mayCreate) return undefined;
  return {
    reason: `does not let the user ${user} create tables in the schema ${schema}`,
    advice: `As the owner of the database run: grant usage, create on schema ${schema} to ${user}.`,
  };
}

const writtenByNewer = (version: number, newest: number): SchemaFault => ({
  reason: `was written by a newer version of Dockline: its schema has version ${version}, and this Dockline knows none above ${newest}`,
  advice: 'Start that version, or restore the backup that was made before it was first started.',
});

const contradicted = (version: number, lacking: readonly string[]): SchemaFault => ({
  reason: `does not have version ${version} of the schema, as it claims: it lacks ${abridge(lacking)}`,
  advice:
    'Restore a backup, or use an empty database. If an unreleased Dockline wrote it, let that one finish what waits first.',
});

const LISTED = 5;

const abridge = (names: readonly string[]): string =>
  names.length <= LISTED ? names.join(', ') : `${names.slice(0, LISTED).join(', ')} and ${names.length - LISTED} more`;

const versionOf = (names: readonly string[]): number => Number.parseInt(names.at(-1) ?? '0', 10);

async function listApplied<Schema>(db: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** As `table.column`; Kysely's introspection lacks generated ones on SQLite. */
async function listColumns<Schema>(db: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const columns = isPostgres(db)
    ? sql`select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where pg_table_is_visible(c.oid) and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
          and c.relnamespace <> 'pg_catalog'::regnamespace`
    : sql`select t.name || '.' || c.name as name from sqlite_master t, pragma_table_xinfo(t.name) c
        where t.type = 'table' and t.name not like 'sqlite!_%' escape '!'`;
  const { rows } = await (columns as ReturnType<typeof sql<{ name: string }>>).execute(db);
  return new Set(rows.map(({ name }) => name));
}
