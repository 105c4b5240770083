import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectToSqlite } from '../../src/store/engines/connections.ts';
import type { Database } from '../../src/store/schema.ts';
import { openStore } from '../../src/store/store.ts';
import { openTemporaryStore, temporaryFile } from './temporary-store.ts';

describe('a store in SQLite', () => {
  it('makes durable writes synchronous in WAL mode', async () => {
    const { db, intake, durably, close } = await connectToSqlite(temporaryFile());
    onTestFinished(close);
    const synchronous = async (on: Kysely<Database>) => (await sql`pragma synchronous`.execute(on)).rows;
    expect((await sql`pragma journal_mode`.execute(db)).rows).toEqual([{ journal_mode: 'wal' }]);
    expect(await intake(synchronous)).toEqual([{ synchronous: 2 }]);
    expect(await durably(synchronous)).toEqual([{ synchronous: 2 }]);
    await expect(durably(() => Promise.reject(new Error('a failure')))).rejects.toThrow('a failure');
    expect(await synchronous(db)).toEqual([{ synchronous: 1 }]);
  });

  it('keeps its data when it is reopened', async () => {
    const file = temporaryFile();
    const first = await openTemporaryStore({ file });
    await first.resources.put('1', 'user', '2', 'kept');
    await first.close();
    const second = await openTemporaryStore({ file });
    expect((await second.resources.find('1', 'user', '2'))?.body).toBe('kept');
  });

  it('has a probe that writes, so that a full disk is noticed', async () => {
    const file = temporaryFile();
    const { inbox } = await openTemporaryStore({ file });
    const writtenBefore = statSync(`${file}-wal`).size;
    await inbox.probe();
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(writtenBefore);
  });

  it('refuses a file that is not a database', async () => {
    const file = temporaryFile();
    writeFileSync(file, 'no database at all'.repeat(100));
    await expect(openStore({ file })).rejects.toThrow(/is not a SQLite database/);
  });

  it('refuses a file that another process has open, and opens it once that process was killed', async () => {
    const file = temporaryFile();
    const other = await holdInAnotherProcess(file);
    await expect(openStore({ file })).rejects.toThrow(/in use by another process/);
    other.kill('SIGKILL');
    await once(other, 'exit');
    await expect(openTemporaryStore({ file })).resolves.toBeDefined();
  });
});

async function holdInAnotherProcess(file: string) {
  const module = new URL('../../src/store/store.ts', import.meta.url).href;
  const script = `import { openStore } from ${JSON.stringify(module)};
    await openStore({ file: ${JSON.stringify(file)} }); console.log('open'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
