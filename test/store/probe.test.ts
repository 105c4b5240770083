import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openTemporaryStore, temporaryFile } from './temporary-store.ts';

it('a probe of SQLite really writes, so that a disk that takes nothing is noticed', async () => {
  const file = temporaryFile();
  const { inbox } = await openTemporaryStore({ file });
  const writtenBefore = statSync(`${file}-wal`).size;
  await inbox.probe();
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(writtenBefore);
});
