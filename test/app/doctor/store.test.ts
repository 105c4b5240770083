import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, it } from 'vitest';
import { checkStore } from '../../../src/app/doctor/store.ts';
import { openStore } from '../../../src/app/store.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openTemporaryStore, temporaryFile } from '../../store/temporary-store.ts';
import { databaseUrl } from '../../support/postgres.ts';

describe('the check of the store', () => {
  it('tells a file that is not there from one that is in use, and from one that can be written', async () => {
    const folder = temporaryFile();
    const config = loadConfig({ DATA_FOLDER: folder });
    const check = async () => (await checkStore(config))[0];
    expect(await check()).toMatchObject({ verdict: 'ok', found: 'will be created at the start' });

    const store = await openStore({ file: join(folder, 'dockline.db') });
    expect(await check()).toMatchObject({ verdict: 'skipped', found: expect.stringContaining('a running Dockline') });
    await store.close();
    expect(await check()).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^has version \d+ of the schema, is writable$/),
    });
    const again = await openTemporaryStore({ file: join(folder, 'dockline.db') });
    expect(await again.db.selectFrom('processes').selectAll().execute()).toEqual([]);
  });

  it('names what a schema lacks that somebody changed', async () => {
    const folder = temporaryFile();
    const file = join(folder, 'dockline.db');
    await (await openStore({ file })).close();
    const database = new DatabaseSync(file);
    database.exec('drop table due; alter table subjects rename column stage to phase');
    database.close();
    expect((await checkStore(loadConfig({ DATA_FOLDER: folder })))[0]).toMatchObject({
      verdict: 'failed',
      found: expect.stringMatching(
        /^does not have version \d+ of the schema, as it claims: it lacks due, subjects\.stage$/,
      ),
    });
  });

  it.skipIf(!inject('postgres'))('writes to PostgreSQL in a transaction that is rolled back', async () => {
    const { server = '', template = '' } = inject('postgres') ?? {};
    const check = async (url: string) => (await checkStore(loadConfig({ DATABASE_URL: url })))[0];
    expect(await check(databaseUrl(server, template))).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^has version \d+ of the schema, is writable$/),
    });
    expect(await check(databaseUrl(server, 'nowhere'))).toMatchObject({ verdict: 'failed' });
    const readOnly = `${databaseUrl(server, template)}?options=-c%20default_transaction_read_only%3Don`;
    expect(await check(readOnly)).toMatchObject({
      verdict: 'failed',
      found: expect.stringContaining('read-only transaction'),
    });
  });
});
