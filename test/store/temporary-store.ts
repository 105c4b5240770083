import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';

/** Returns a path in a temporary folder that is deleted after the test. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dockline-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.sqlite');
}

/** Opens a SQLite store for the test. */
export async function openTemporaryStore({
  file = temporaryFile(),
  now = Date.now,
}: {
  readonly file?: string;
  readonly now?: () => number;
} = {}): Promise<Store> {
  const store = await openStore({ file, now });
  onTestFinished(() => store.close());
  return store;
}

/** Simulates a full disk until the returned function is called. */
export async function fillDisk({ db }: Store): Promise<() => Promise<void>> {
  await sql`pragma max_page_count = 1`.execute(db);
  return async () => void (await sql`pragma max_page_count = 1000000`.execute(db));
}
