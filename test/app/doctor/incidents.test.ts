import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/app/store.ts';
import { createAdminClient } from '../../../src/cli/admin/client.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createReader } from '../../../src/ingress/endpoints.ts';
import { openAdmin } from '../../admin/open-admin.ts';
import { configure } from '../../store/configured.ts';
import { openTemporaryStore, temporaryFile } from '../../store/temporary-store.ts';
import { quarantinedEntry } from '../../support/make.ts';
import { examine } from './examining.ts';

const config = loadConfig({ DATA_FOLDER: '/nowhere' });

const readAt = (url: string) => {
  const client = createAdminClient(() => ({ url, token: undefined }));
  return async () => (await client.get('/health')).incidents;
};

it('the doctor shows the incidents of the Dockline that runs, as it judges them', async () => {
  const store = await openTemporaryStore();
  const { url } = await openAdmin({ store });
  const read = () => examine(config, ['incidents'], undefined, readAt(url));
  expect(await read()).toMatchObject([{ verdict: 'ok', found: 'nothing is wrong' }]);
  await store.inbox.add([quarantinedEntry('q')]);
  await configure(store, { hub: {} });
  await store.destinations.pause({ tenant: '9104', id: 'hub' }, 'it answered 410', 'dockline');
  await expect.poll(read).toMatchObject([
    { name: 'incidents', verdict: 'ok', found: '2 open' },
    {
      name: 'destination-stopped@9104/hub',
      verdict: 'failed',
      found: 'Dockline has stopped sending to destination hub of warehouse 9104: it answered 410',
    },
    {
      name: 'quarantine@event/order',
      verdict: 'warning',
      found: '1 webhook has an unknown name: unknown event "X" of an order',
    },
  ]);
});

it('the doctor shows the incidents of the store where no Dockline answers, such as webhooks of another tenant', async () => {
  const folder = temporaryFile();
  const { inbox, close } = await openStore({ file: join(folder, 'dockline.db') });
  const endpoints = new Map([['warehouse', { tenant: '9105' }]]);
  const read = createReader({ endpoints, aliases: {}, accepted: async () => ({}) });
  await inbox.add([await read({ endpoint: 'warehouse', body: Buffer.from('{"tplId":9104}'), receivedAt: 1 })]);
  await close();
  const own = loadConfig({ DATA_FOLDER: folder });
  expect(await examine(own, ['incidents'], undefined, readAt('http://127.0.0.1:1'))).toMatchObject([
    { name: 'incidents', verdict: 'ok', found: '1 open, as the store shows' },
    {
      name: 'quarantine@tenant',
      verdict: 'warning',
      found: '1 webhook is of an account that is not configured: names tenant 9104 at the endpoint of 9105',
      advice: expect.stringContaining('compare WAREHOUSE_TENANT with the tplId of the webhooks'),
    },
  ]);
});

it('the doctor skips incidents where no Dockline answers, and there is no store yet', async () => {
  expect(await examine(config, ['incidents'], undefined, readAt('http://127.0.0.1:1'))).toMatchObject([
    { verdict: 'skipped', found: expect.stringMatching(/^nothing answers at/) },
  ]);
});
