import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';

/** Returns a path in a temporary folder that is deleted after the test. */
export function temporaryFile(): string {
  const folder = createFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.sqlite');
}

const createFolder = (): string => mkdtempSync(join(tmpdir(), 'dockline-store-'));

/** Migrated and empty database, which is made once in each process: a copy takes half the time. */
let template: Promise<string> | undefined;

/** Returns the path of a migrated and empty database that is deleted after the test. */
export async function emptyFile(): Promise<string> {
  template ??= createTemplate();
  const file = temporaryFile();
  copyFileSync(await template, file);
  return file;
}

async function createTemplate(): Promise<string> {
  const folder = createFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'template.sqlite');
  await (await openStore({ file })).close();
  return file;
}

/** Opens a SQLite store for the test. */
export async function openTemporaryStore({
  file,
  now = Date.now,
}: {
  readonly file?: string;
  readonly now?: () => number;
} = {}): Promise<Store> {
  const store = await openStore({ file: file ?? (await emptyFile()), now });
  onTestFinished(() => store.close());
  return store;
}

/** Simulates a full disk until the returned function is called. */
export async function fillDisk({ db }: Store): Promise<() => Promise<void>> {
  await sql`pragma max_page_count = 1`.execute(db);
  return async () => void (await sql`pragma max_page_count = 1000000`.execute(db));
}
