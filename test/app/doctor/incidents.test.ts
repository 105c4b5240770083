import { expect, it } from 'vitest';
import { createAdminClient } from '../../../src/cli/admin/client.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openAdmin } from '../../admin/open-admin.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { quarantinedEntry } from '../../support/make.ts';
import { examine } from './examining.ts';

const config = loadConfig({});

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
  await store.destinations.pause({ tenant: '9104', id: 'hub' }, 'it answered 410', 'dockline');
  await expect.poll(read).toMatchObject([
    { name: 'incidents', verdict: 'ok', found: '2 open' },
    {
      name: 'destination-stopped@9104/hub',
      verdict: 'failed',
      found: 'Dockline has stopped sending to receiver hub of warehouse 9104',
    },
    { name: 'quarantine@event/any', verdict: 'warning', found: '1 webhook has an unknown name' },
  ]);
});

it('the doctor skips incidents where no Dockline answers', async () => {
  expect(await examine(config, ['incidents'], undefined, readAt('http://127.0.0.1:1'))).toMatchObject([
    { verdict: 'skipped', found: expect.stringMatching(/^nothing answers at/) },
  ]);
});
