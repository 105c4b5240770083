import { type Kysely, sql, type TableMetadata } from 'kysely';
import { plural } from '../base/text.ts';
import { DocklineError } from '../domain/errors.ts';
import { connectToPostgres, connectToSqlite } from './engines/connections.ts';

interface TableCount {
  readonly table: string;
  readonly rows: number;
}

interface CopyOptions {
  /** No process may have it open; it stays as it is. */
  readonly file: string;
  /** Must be empty. */
  readonly url: string;
  readonly onProgress?: (progress: TableCount & { readonly of: number }) => void;
}

/** Tables are read by name, so that later ones are copied too. */
type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;

/** Processes of the old store do not run on the new one. */
const LEFT_OUT = new Set(['processes', 'alert_watch']);

/** In one transaction: if anything fails, the target stays empty. @throws DocklineError `ERR_STORE_UNAVAILABLE`, also if counts differ */
export async function copyToPostgres({ file, url, onProgress }: CopyOptions): Promise<readonly TableCount[]> {
  await using opened = new AsyncDisposableStack();
  const source = opened.adopt(await connectToSqlite(file), (it) => it.close());
  const target = opened.adopt(await connectToPostgres(url), (it) => it.close());
  const from = source.db as unknown as AnyDatabase;
  const tables = (await from.introspection.getTables()).filter(({ name }) => !LEFT_OUT.has(name));
  return await target.durably(async (transaction) => {
    const to = transaction as unknown as AnyDatabase;
    await requireEmpty(to, tables);
    const copied = await Array.fromAsync(tables, (table) => copyTable(from, to, table, onProgress));
    await continueCounters(to, tables);
    return copied;
  });
}

async function countOf(db: AnyDatabase, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count);
}

async function requireEmpty(db: AnyDatabase, tables: readonly TableMetadata[]): Promise<void> {
  for (const { name } of tables) {
    const rows = await countOf(db, name);
    if (rows > 0) throw failure(`The PostgreSQL database is not empty: its table ${name} has ${plural(rows, 'row')}`);
  }
}

const failure = (message: string) => new DocklineError('ERR_STORE_UNAVAILABLE', message);

async function copyTable(
  from: AnyDatabase,
  to: AnyDatabase,
  { name, columns }: TableMetadata,
  onProgress: CopyOptions['onProgress'],
): Promise<TableCount> {
  const of = await countOf(from, name);
  // SQLite does not list generated columns, which PostgreSQL computes by itself.
  const names = columns.map((column) => column.name);
  let copied = 0;
  for await (const rows of inChunks(from.selectFrom(name).select(names).stream())) {
    const values = rows.map((row) => sql`(${sql.join(names.map((column) => row[column]))})`);
    // Ids stay as they are, although PostgreSQL would count by itself.
    await sql`insert into ${sql.table(name)} (${sql.join(names.map((column) => sql.ref(column)))})
      overriding system value values ${sql.join(values)}`.execute(to);
    copied += rows.length;
    onProgress?.({ table: name, rows: copied, of });
  }
  const arrived = await countOf(to, name);
  if (arrived !== of) throw failure(`The table ${name} has ${plural(of, 'row')}, of which ${arrived} arrived`);
  return { table: name, rows: of };
}

/** PostgreSQL takes 65,535 parameters, and a body can have megabytes. */
const MAX_ROWS = 500;
const MAX_BYTES = 8_000_000;

async function* inChunks<Row extends Record<string, unknown>>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let chunk: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    chunk.push(row);
    for (const value of Object.values(row)) bytes += value instanceof Uint8Array ? value.length : 0;
    if (chunk.length < MAX_ROWS && bytes < MAX_BYTES) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}

async function continueCounters(db: AnyDatabase, copied: readonly TableMetadata[]): Promise<void> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => copied.some((table) => table.name === name));
  for (const { name, columns } of tables) {
    for (const { name: column } of columns.filter(({ isAutoIncrementing }) => isAutoIncrementing)) {
      const newest = sql`(select max(${sql.ref(column)}) from ${sql.table(name)})`;
      await sql`select setval(pg_get_serial_sequence(${name}, ${column}), coalesce(${newest}, 0) + 1, false)`.execute(
        db,
      );
    }
  }
}
