import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as immediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { copySqliteFile } from '../../../src/store/engines/sqlite.ts';
import { entryOf } from '../../support/make.ts';
import { openTemporaryStore, temporaryFile } from '../temporary-store.ts';

const EVENTS = 3_000;
const TURNS = 500;

function check(file: string): unknown {
  using copy = new DatabaseSync(file, { readOnly: true });
  return copy.prepare('pragma integrity_check').get();
}

it('a backup of a SQLite store in use is whole, and has everything that was committed before it', async () => {
  const original = temporaryFile();
  const store = await openTemporaryStore({ file: original });
  await store.inbox.add(
    Array.from({ length: EVENTS }, (_, index) => ({ ...entryOf('1', index + 1), body: Buffer.alloc(2_000, 7) })),
  );
  const file = temporaryFile();
  let isDone = false;
  const writing = (async () => {
    let written = 0;
    // In transactions that last over turns of the event loop.
    for (; !isDone; written += 1) {
      await store.db.transaction().execute(async (transaction) => {
        const row = { subject_key: String(written), step: 'wake', at: 1, attempts: 0 } as const;
        await transaction.insertInto('due').values(row).execute();
        for (let turns = 0; turns < TURNS; turns += 1) await immediate();
      });
    }
    return written;
  })();
  await immediate();
  await copySqliteFile(original, file);
  isDone = true;
  expect(await writing).toBeGreaterThan(1);
  expect(check(file)).toEqual({ integrity_check: 'ok' });
  const copy = await openTemporaryStore({ file });
  expect(copy.inbox.waiting()).toBe(EVENTS);
});

it('a backup that fails leaves no file behind', async () => {
  const original = temporaryFile();
  await openTemporaryStore({ file: original });
  const file = temporaryFile();
  await expect(copySqliteFile(original, `${file}/nowhere.db`)).rejects.toThrow();
  expect(readdirSync(dirname(file))).toEqual([]);
});
