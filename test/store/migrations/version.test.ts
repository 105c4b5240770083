import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openStore, type StoreLocation } from '../../../src/app/store.ts';
import { migrations } from '../../../src/store/migrations/migrations.ts';
import { describeOnBoth, openIn } from '../databases.ts';
import { openBare } from './bare-database.ts';

describeOnBoth('a store is not touched', (database) => {
  const newest = Object.keys(migrations).length;

  it.each([
    [
      'that a newer version wrote',
      `insert into kysely_migration values ('9999-later', '2026-01-01')`,
      `was written by a newer version of Dockline: its schema has version 9999, and this Dockline knows none above ${newest}. Start that version,`,
    ],
    [
      'that lost its version',
      'delete from kysely_migration',
      'but no version of its schema in kysely_migration. Restore a complete backup,',
    ],
    [
      'from before the first version was final',
      'alter table due rename to dispatches',
      `does not have version ${newest} of the schema, as it claims: it lacks due. Restore a backup,`,
    ],
    [
      'that somebody changed',
      'alter table subjects rename column stage to phase; alter table inbox rename column body to content',
      `does not have version ${newest} of the schema, as it claims: it lacks inbox.body, subjects.stage. Restore a backup,`,
    ],
  ])('%s', async (_, change, reason) => {
    const location = await database.locateBlank();
    const store = await openIn(database, { location });
    for (const statement of change.split(';')) await sql.raw(statement).execute(store.db);
    await store.close();
    const before = await schemaIn(location);
    const refusal = await openStore(location).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'ERR_STORE_UNAVAILABLE', message: expect.stringContaining(reason) });
    expect(await schemaIn(location)).toEqual(before);
  });
});

async function schemaIn(location: StoreLocation) {
  const { db, close } = await openBare(location);
  const tables = await db.introspection.getTables();
  await close();
  return tables;
}
