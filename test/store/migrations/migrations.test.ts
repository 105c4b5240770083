import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../../src/store/migrations/list.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { isDueAndOpen } from '../../../src/subjects/tables/deadlines.ts';
import { isBelievedOpen, isOpen } from '../../../src/subjects/tables/subject-search.ts';
import { entryOf, orderOf, toDefault } from '../../support/make.ts';
import { describeOnAll, describeOnBoth, describeOnPostgres, openIn } from '../databases.ts';
import { openTemporaryStore } from '../temporary-store.ts';
import { openBare } from './bare-database.ts';

describeOnBoth('a migration', (database) => {
  it.each(Object.keys(migrations))('upgrades from %s with its data', async (name) => {
    const location = await database.locateBlank();
    const { db, close } = await openBare(location);
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
    expect((await migrator.migrateTo(name)).error).toBeUndefined();
    const { eventId, subjectKey, event } = entryOf('31', 1);
    await sql`insert into inbox (event_id, endpoint, tenant, subject_key, event, received_at, body)
      values (${eventId}, 'warehouse', '9104', ${subjectKey}, ${JSON.stringify(event)}, 1, ${Buffer.from('{}')})`.execute(
      db,
    );
    await sql`insert into announcements (id, tenant, kind, subject_id, revision, summary, body, created_at)
      values ('order:9104:31/1/created', '9104', 'order', '31', 1, 'created', ${Buffer.from('{}')}, 1)`.execute(db);
    await sql`insert into outbox (announcement, destination, tenant, kind, subject_id, revision, created_at, tried_since)
      values ('order:9104:31/1/created', 'default', '9104', 'order', '31', 1, 1, 1)`.execute(db);
    await close();

    const { inbox, subjects, outbox } = await openIn(database, { location });
    expect(inbox.waiting()).toBe(1);
    expect(await inbox.add([entryOf('31', 1), entryOf('31', 2)])).toEqual([false, true]);
    const { events } = await subjects.load(orderOf('31'), 10);
    expect(events.map(({ json }) => JSON.parse(json))).toEqual([event, entryOf('31', 2).event]);
    expect(await outbox.lease(toDefault('order:9104:31/1/created'), 1)).toMatchObject({
      revision: 1,
      body: '{}',
      attempts: 0,
    });
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

describeOnBoth('a migration that was applied somewhere', (database) => {
  let read: Promise<ReadonlyMap<string, string>> | undefined;

  /** Applies all migrations to an empty database; returns the statements of each. */
  async function readStatements() {
    const texts = new Map<string, string>();
    let statements: string[] = [];
    const { db } = await openBare(await database.locateBlank(), ({ query }) => {
      statements.push(query.sql);
    });
    for (const [name, { up }] of Object.entries(migrations)) {
      statements = [];
      await up(db);
      texts.set(name, statements.join(';'));
    }
    return texts;
  }

  it.each(Object.keys(migrations))('is never edited: %s', async (name) => {
    read ??= readStatements();
    const text = (await read).get(name) ?? '';
    expect(createHash('sha256').update(text).digest('hex')).toMatchSnapshot();
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
