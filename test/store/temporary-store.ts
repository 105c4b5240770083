import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { createStore, openStore, type Store } from '../../src/app/store.ts';
import { connectToSqlite } from '../../src/store/engines/connections.ts';
import { sqliteDialect } from '../../src/store/engines/sqlite.ts';
import { type PermittedReads, readEverything } from '../../src/store/limited-reads.ts';
import type { Database } from '../../src/store/schema.ts';
import { configure } from './configured.ts';

/** Store whose readings may show everything. */
export type TestStore = Store & { readonly reads: PermittedReads };

/** Returns a path in a temporary folder that is deleted after the test. */
export function temporaryFile(): string {
  const folder = createFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.sqlite');
}

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'dockline-store-'));

/** Migrated and empty database with a configured destination, which is made once in each process: a copy takes half the time. */
let template: Promise<string> | undefined;

/** Returns the path of a migrated and empty database that is deleted after the test. */
export async function emptyFile(): Promise<string> {
  template ??= createTemplate();
  const file = temporaryFile();
  copyFileSync(await template, file);
  return file;
}

async function createTemplate(): Promise<string> {
  const file = join(createFolder(), 'template.sqlite');
  const store = await openStore({ file });
  await configure(store);
  await store.close();
  return file;
}

/** Opens the SQLite store in a file, or an empty one, for the test. */
export async function openTemporaryStore({
  file,
  now = Date.now,
}: {
  readonly file?: string;
  readonly now?: () => number;
} = {}): Promise<TestStore> {
  const store = await (file === undefined ? openEmptyStore(now) : openStore({ file, now }));
  onTestFinished(() => store.close());
  return { ...store, reads: readEverything(store.reads) };
}

/** Opens an empty SQLite store whose queries run on a connection like that of the thread, which takes longer to start than most tests. */
export async function openEmptyStore(now?: () => number): Promise<Store> {
  const file = await emptyFile();
  const { close, ...connections } = await connectToSqlite(file);
  const reads = new Kysely<Database>({ dialect: sqliteDialect(new DatabaseSync(file, { readOnly: true })) });
  return createStore({ ...connections, reads, close: () => reads.destroy().then(close) }, now);
}

/** Simulates a full disk until the returned function is called. */
export async function fillDisk({ db }: Store): Promise<() => Promise<void>> {
  await sql`pragma max_page_count = 1`.execute(db);
  return async () => void (await sql`pragma max_page_count = 1000000`.execute(db));
}
