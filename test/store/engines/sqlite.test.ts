import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/app/store.ts';
import { connectToSqlite } from '../../../src/store/engines/connections.ts';
import type { Database } from '../../../src/store/schema.ts';
import { openTemporaryStore, temporaryFile } from '../temporary-store.ts';

const unavailable = { name: 'DocklineError', code: 'ERR_STORE_UNAVAILABLE' };

/** Opens a file as versions up to 0.1 did, whose lock was that of the file itself. */
function openAsBefore(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; begin immediate; commit');
  return database;
}

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

  it('has a probe that writes, so that a full disk is noticed', async () => {
    const file = temporaryFile();
    const { inbox } = await openTemporaryStore({ file });
    const writtenBefore = statSync(`${file}-wal`).size;
    await inbox.probe();
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(writtenBefore);
  });

  it('gives back the log that has grown while a reader held it', async () => {
    const file = temporaryFile();
    const { db } = await openTemporaryStore({ file });
    const megabytes = () => statSync(`${file}-wal`).size / 2 ** 20;
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('begin; select count(*) from inbox');
    await sql`create table grown as select zeroblob(40000000) as bytes`.execute(db);
    expect(megabytes()).toBeGreaterThan(38);
    reader.close();
    // One commit copies the log, and the next one begins it anew.
    for (const bytes of [1, 2, 3]) await sql`insert into grown values (${bytes})`.execute(db);
    expect(megabytes()).toBeLessThan(32);
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

describe('a SQLite file that another version has open', () => {
  it('is refused', async () => {
    const file = temporaryFile();
    openAsBefore(file);
    await expect(openStore({ file })).rejects.toThrow(/in use by another process/);
  });

  it('is refused to the other version, too', async () => {
    const file = temporaryFile();
    await openTemporaryStore({ file });
    expect(() => openAsBefore(file)).toThrow('database is locked');
  });
});

describe('queries of people and metrics on SQLite', () => {
  it('see what was committed just before', async () => {
    const { db, reads } = await openTemporaryStore({ file: temporaryFile() });
    for (const id of ['1', '2', '3']) {
      await db.insertInto('processes').values({ id, heartbeat_at: 1 }).execute();
      const rows = await reads.selectFrom('processes').select('id').orderBy('id').execute();
      expect(rows.at(-1)).toEqual({ id });
    }
    await db.deleteFrom('processes').execute();
    expect(await reads.selectFrom('processes').selectAll().execute()).toEqual([]);
  });

  it('leave the event loop free, however long they take', async () => {
    const { reads } = await openTemporaryStore({ file: temporaryFile() });
    const slow = sql<{ count: number }>`with recursive numbers (n) as
      (select 1 union all select n + 1 from numbers where n < 500000) select count(*) as count from numbers`;
    const result = slow.execute(reads);
    let isDone = false;
    void result.then(() => {
      isDone = true;
    });
    let turns = 0;
    for (; !isDone; turns += 1) await turn();
    expect((await result).rows).toEqual([{ count: 500_000 }]);
    expect(turns).toBeGreaterThan(100);
  });

  it('cannot write, and a mistake in one does not end the others', async () => {
    const { reads } = await openTemporaryStore({ file: temporaryFile() });
    const insertion = reads.insertInto('processes').values({ id: '1', heartbeat_at: 1 });
    await expect(insertion.execute()).rejects.toMatchObject(unavailable);
    await expect(sql`select absent`.execute(reads)).rejects.toThrow('no such column: absent');
    expect((await sql`select 1 as one`.execute(reads)).rows).toEqual([{ one: 1 }]);
  });
});

async function holdInAnotherProcess(file: string) {
  const module = new URL('../../../src/app/store.ts', import.meta.url).href;
  const script = `import { openStore } from ${JSON.stringify(module)};
    await openStore({ file: ${JSON.stringify(file)} }); console.log('open'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
