import { statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import { connectToSqlite } from '../../../src/store/engines/connections.ts';
import type { Database } from '../../../src/store/schema.ts';
import { fillDisk, temporaryFile } from '../temporary-store.ts';

/** Growth of the WAL per commit to a table of one page without an index, in bytes: the page and a header. */
const COMMIT = 4096 + 24;

/** Opens a SQLite file with a table of its own and counts its commits by the growth of the WAL. */
async function open() {
  const file = temporaryFile();
  const { db, durably, close } = await connectToSqlite(file);
  onTestFinished(close);
  await sql`create table written (note)`.execute(db);
  const size = () => statSync(`${file}-wal`).size;
  const before = size();
  const note = (text: string) => async (on: Kysely<Database>) => {
    await sql`insert into written values (${text})`.execute(on);
    return `wrote ${text}`;
  };
  const notes = async () =>
    (await sql<{ note: string }>`select note from written order by rowid`.execute(db)).rows.map((row) => row.note);
  return { db, durably, note, notes, commits: () => (size() - before) / COMMIT };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `note ${index}`);
const full = { name: 'DocklineError', code: 'ERR_STORE_UNAVAILABLE' };

describe('durable writes to SQLite', () => {
  it('share a commit if they arrive together, and return each caller its own result', async () => {
    const { durably, note, notes, commits } = await open();
    const results = await Promise.all(names(10).map((name) => durably(note(name))));
    expect(commits()).toBe(1);
    expect(results).toEqual(names(10).map((name) => `wrote ${name}`));
    expect(await notes()).toEqual(names(10));
  });

  it('have a commit each if they run one after the other', async () => {
    const { durably, note, commits } = await open();
    for (const name of names(3)) await durably(note(name));
    expect(commits()).toBe(3);
  });

  it('share the next commit if they arrive during another', async () => {
    const { durably, note, notes, commits } = await open();
    const later: Promise<string>[] = [];
    await durably(async (transaction) => {
      for (const name of names(5)) {
        later.push(durably(note(name)));
        await turn();
      }
      await note('first')(transaction);
    });
    expect(commits()).toBe(1);
    await Promise.all(later);
    expect(commits()).toBe(2);
    expect(await notes()).toEqual(['first', ...names(5)]);
  });

  it('share a commit among at most fifty', async () => {
    const { durably, note, notes, commits } = await open();
    await Promise.all(names(120).map((name) => durably(note(name))));
    expect(commits()).toBe(3);
    expect(await notes()).toEqual(names(120));
  });

  it('do not fail with another one, which is rolled back completely', async () => {
    const { durably, note, notes } = await open();
    const failure = new Error('a mistake');
    const settled = await Promise.allSettled([
      durably(note('before')),
      durably(async (transaction) => {
        await note('half')(transaction);
        throw failure;
      }),
      durably((transaction) => sql`insert into nowhere values (1)`.execute(transaction)),
      durably(note('after')),
    ]);
    expect(settled).toMatchObject([
      { status: 'fulfilled', value: 'wrote before' },
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: { message: 'no such table: nowhere' } },
      { status: 'fulfilled', value: 'wrote after' },
    ]);
    expect(await notes()).toEqual(['before', 'after']);
  });

  it('are all rejected while the disk is full, and succeed afterwards', async () => {
    const { db, durably, note, notes } = await open();
    const large = names(3).map((name) => name + 'x'.repeat(100_000));
    const writeAll = () => Promise.allSettled(large.map((text) => durably(note(text))));
    const release = await fillDisk({ db } as Store);
    expect(await writeAll()).toMatchObject(large.map(() => ({ status: 'rejected', reason: full })));
    expect(await notes()).toEqual([]);
    await release();
    expect(await writeAll()).toMatchObject(large.map(() => ({ status: 'fulfilled' })));
    expect(await notes()).toEqual(large);
  });
});
