import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { command } from '../../proving/faults/fixture/database.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { copyToPostgres } from '../../src/store/copy.ts';
import { entryOf, order, orderOf, quarantinedEntry } from '../support/make.ts';
import { describeOnPostgres, openIn } from './databases.ts';
import { recordNext } from './recordings.ts';
import { openTemporaryStore, temporaryFile } from './temporary-store.ts';

const tables = ['inbox', 'due', 'subjects', 'resources', 'announcements', 'erasures'] as const;

/** More rows than one statement copies. */
const EVENTS = 1_200;

/** Writes something into every table of a SQLite store, and closes it; returns its file. */
async function fill(): Promise<string> {
  const file = temporaryFile();
  const store = await openStore({ file });
  await store.inbox.add(Array.from({ length: EVENTS }, (_, index) => entryOf(String(index % 40), index + 1)));
  await store.inbox.add([{ ...quarantinedEntry('9104:q'), endpoint: '\u0000' }]);
  await recordNext(store, order, ['9104:2']);
  await store.resources.put('9104', 'user', '2', '{"name":"Ada"}');
  await store.erasures.erase(orderOf('999'), { by: 'ada', unsent: true });
  await store.processes.join();
  await store.close();
  return file;
}

const contentsOf = async ({ db }: Pick<Store, 'db'>) =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const rows = await db.selectFrom(table).selectAll().execute();
        return [table, rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort()] as const;
      }),
    ),
  );

describeOnPostgres('a store that moves to PostgreSQL', (database) => {
  const openTarget = () => openIn(database, { location: { url: database.url } });

  it('has every row there as it was, but for a NUL in a text, and continues its ids', async () => {
    const file = await fill();
    await database.locate();
    const shown: string[] = [];
    const copied = await copyToPostgres({
      file,
      url: database.url,
      onProgress: ({ table, rows, of }) => shown.push(`${table} ${rows}/${of}`),
    });
    expect(copied).toContainEqual({ table: 'inbox', rows: EVENTS + 1 });
    expect(shown).toContain(`inbox 500/${EVENTS + 1}`);
    const before = await contentsOf(await openTemporaryStore({ file }));
    const target = await openTarget();
    const after = await contentsOf(target);
    for (const table of tables) {
      expect(before[table]?.length, table).toBeGreaterThan(0);
      expect(after[table]).toEqual(before[table]?.map((row) => row.replace('\\u0000', '\ufffd')).sort());
    }
    await target.inbox.add([entryOf('41', EVENTS + 2)]);
    const newest = await target.db.selectFrom('inbox').select('id').orderBy('id', 'desc').executeTakeFirst();
    expect(newest?.id).toBe(EVENTS + 2);
  });

  it('is refused by a database that is not empty, which stays as it is', async () => {
    const file = await fill();
    await database.locate();
    const target = await openTarget();
    await target.inbox.add([entryOf('1', 1)]);
    await expect(copyToPostgres({ file, url: database.url })).rejects.toThrow('table due has 1 row');
    const { rows } = await sql<{ count: number }>`select count(*) from inbox`.execute(target.db);
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('leaves the database empty if it breaks off', async () => {
    const file = await fill();
    await database.locate();
    await command(database.direct, 'alter table resources add constraint refusal check (id is null)');
    const copying = copyToPostgres({ file, url: database.url });
    await expect(copying).rejects.toThrow('refusal');
    await command(database.direct, 'alter table resources drop constraint refusal');
    const target = await openTarget();
    expect((await contentsOf(target)).inbox).toEqual([]);
  });
});
