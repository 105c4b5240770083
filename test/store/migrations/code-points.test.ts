import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, it, onTestFinished } from 'vitest';
import { command } from '../../../proving/faults/fixture/database.ts';
import { openStore } from '../../../src/app/store.ts';
import { order, orderOf } from '../../support/make.ts';
import { databaseUrl } from '../../support/postgres.ts';
import { describeOnPostgres } from '../databases.ts';
import { recordAs } from '../recordings.ts';

/** Opens a store in a database that sorts texts as people who speak English do: `a` before `B`. */
async function openEnglish() {
  const { server, template } = inject('postgres') ?? { server: '', template: '' };
  const name = `${template}_${randomUUID().slice(0, 8)}`;
  const english = `encoding 'UTF8' locale 'C.UTF-8' locale_provider icu icu_locale 'en-US'`;
  await command(server, `create database ${name} template template0 ${english}`);
  const store = await openStore({ url: databaseUrl(server, name) });
  onTestFinished(async () => {
    await store.close();
    await command(server, `drop database ${name} with (force)`);
  });
  return store;
}

describeOnPostgres('a database with the collation of a language', () => {
  it('sorts keys by code point nevertheless', async () => {
    const store = await openEnglish();
    const { rows } = await sql<{ is: boolean }>`select 'a' < 'B' as is`.execute(store.db);
    expect(rows).toEqual([{ is: true }]);
    const ids = ['10', 'B', 'a', 'É'];
    for (const id of ids.toReversed()) await recordAs(store, orderOf(id));
    const open = { tenant: order.tenant, kind: order.kind, after: '', quietMs: 0, limit: 10 } as const;
    expect((await store.known.findOpen(open)).map(({ id }) => id)).toEqual(ids);
    expect((await store.known.findOpen({ ...open, after: 'B' })).map(({ id }) => id)).toEqual(['a', 'É']);
  });

  it('has no index of a text in another order', async () => {
    const { db } = await openEnglish();
    const { rows } = await sql<{ name: string }>`
      select distinct indrelid::regclass || '.' || attname as name
        from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
          join pg_collation on pg_collation.oid = attcollation
        where indrelid::regclass::text not like 'pg_%' and atttypid = 'text'::regtype and collname <> 'C'`.execute(db);
    expect(rows).toEqual([]);
  });
});
