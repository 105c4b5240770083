import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';

/** A path for a file in a folder of its own, which goes when the test is over. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dockline-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'store.sqlite');
}

/** A store that is closed when the test is over, if it is not by then. */
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

/** Lets the file grow no further, so that SQLite reports a full disk until it is released. */
export async function fillDisk({ db }: Store): Promise<() => Promise<void>> {
  await sql`pragma max_page_count = 1`.execute(db);
  return async () => void (await sql`pragma max_page_count = 1000000`.execute(db));
}
