import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { createBackup } from '../../src/app/admin-api.ts';
import { openTemporaryStore, temporaryFile } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

it('a backup answers with its file, whose name is its time, and its size', async () => {
  const store = await openTemporaryStore({ now: () => Date.UTC(2026, 1, 11, 8, 30) });
  const folder = dirname(temporaryFile());
  const backUp = createBackup(store, folder);
  const { post } = await openAdmin({ store, ...(backUp && { backUp }) });
  const { status, body } = await post('/backup');
  expect(status).toBe(200);
  expect(body).toEqual({ file: `${folder}/backups/dockline-2026-02-11T08-30-00.000Z.db`, bytes: expect.any(Number) });
  expect(readdirSync(`${folder}/backups`)).toEqual(['dockline-2026-02-11T08-30-00.000Z.db']);
});

it('a backup of PostgreSQL is refused, with the program that makes one', async () => {
  const { post } = await openAdmin({ store: await openTemporaryStore() });
  expect(await post('/backup')).toMatchObject({ status: 409, body: { detail: expect.stringContaining('pg_dump') } });
});

it('a backup that fails says why', async () => {
  const backUp = () => Promise.reject(new Error('no space left on device'));
  const { post } = await openAdmin({ store: await openTemporaryStore(), backUp });
  expect(await post('/backup')).toMatchObject({ status: 500, body: { detail: expect.stringContaining('no space') } });
});
