import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrate, migrations } from '../../../src/store/migrations/migrations.ts';
import { isBelievedOpen, isOpen } from '../../../src/store/subjects.ts';
import { isDueAndOpen } from '../../../src/subjects/tables/deadlines.ts';
import { describeOnAll, describeOnBoth, describeOnPostgres, openIn } from '../databases.ts';
import { openTemporaryStore } from '../temporary-store.ts';
import { openBare } from './bare-database.ts';

describeOnBoth('a store of an earlier version', (database) => {
  it('is upgraded with its data, once', async () => {
    const { db } = await openBare(await database.locateBlank());
    await migrate(db, 'x');
    await sql`insert into processes (id, heartbeat_at) values ('1', 5)`.execute(db);
    const later = {
      '9998-renamed': {
        up: async (schema: Kysely<unknown>) =>
          void (await sql`alter table processes rename column heartbeat_at to at`.execute(schema)),
      },
      '9999-doubled': {
        up: async (schema: Kysely<unknown>) => void (await sql`update processes set at = at * 2`.execute(schema)),
      },
    };
    for (const _ of ['upgrade', 'next start']) await migrate(db, 'x', { ...migrations, ...later });
    expect((await sql`select * from processes`.execute(db)).rows).toEqual([{ id: '1', at: 10 }]);
    await expect(migrate(db, 'x')).rejects.toThrow('was written by a newer version of Dockline');
  });
});

describeOnAll('a migration', (database) => {
  it('that fails changes nothing and can be retried', async () => {
    const { db } = await openBare(await database.locateBlank());
    const broken = {
      async up(schema: Kysely<unknown>) {
        await schema.schema.createTable('half').addColumn('id', 'integer').execute();
        throw new Error('interrupted');
      },
    };
    await expect(migrate(db, 'x', { ...migrations, '9999-broken': broken })).rejects.toMatchObject({
      code: 'ERR_STORE_UNAVAILABLE',
      message: 'The store x cannot be migrated: interrupted',
    });
    await migrate(db, 'x');
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    expect(tables).toContain('inbox');
    expect(tables).not.toContain('half');
  });

  it('that a killed process was in is done again', async () => {
    const location = await database.locateBlank();
    const child = spawn(process.execPath, [join(import.meta.dirname, 'doomed-migration.ts'), JSON.stringify(location)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await ended;
    const { db } = await openIn(database, { location });
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    expect(tables).toContain('due');
    expect(tables).not.toContain('half');
  });
});

describeOnBoth('a migration that was released', (database) => {
  // Nothing was released yet: whoever edits the first one has `-u` note its statements anew.
  it('is never edited', async () => {
    const digests: Record<string, string> = {};
    const { db } = await openBare(await database.locateBlank(), ({ query: { sql: text } }) => {
      const [name = text] = /(?<=^create (unique )?)(table|index) \w+/.exec(text) ?? [];
      digests[name] = createHash('sha256').update(text).digest('hex').slice(0, 12);
    });
    for (const { up } of Object.values(migrations)) await up(db);
    expect(digests).toMatchSnapshot();
  });
});

describeOnPostgres('processes that start concurrently', (database) => {
  it('migrate once', async () => {
    const location = await database.locateBlank();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openIn(database, { location })));
    const { rows } = await sql`select name from kysely_migration order by name`.execute(stores[0]?.db as never);
    expect(rows).toEqual(Object.keys(migrations).map((name) => ({ name })));
  });
});

it.each([
  ['subjects_open', isBelievedOpen],
  ['subjects_open_age', isOpen],
  ['subjects_due', isDueAndOpen],
])('the index %s has the condition of the searches that need it', async (index, condition) => {
  const { db } = await openTemporaryStore();
  const { rows } = await sql<{ text: string }>`select sql as text from sqlite_master where name = ${index}`.execute(db);
  const [, indexed] = rows[0]?.text.split(/\swhere\s/) ?? [];
  expect(indexed).toBe(condition.compile(db).sql);
});
