import { expect, it, onTestFinished } from 'vitest';
import { openTenantClients } from '../../src/app/tenant-clients.ts';
import { loadConfig } from '../../src/config/config.ts';
import { visibleOf } from '../../src/destinations/settings.ts';
import { writeTemporary } from '../config/temporary-text.ts';
import { silent } from '../ingress/key-server.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';

const file = `
warehouses:
  - tenant: 9104
    baseUrl: https://warehouse.test
    authUrl: https://warehouse.test
    clientId: id
    clientSecret: secret
    userLogin: dockline
    destinations:
      - name: shop
        url: https://shop.test
        secret: whsec_${'c2VjcmV0'.repeat(4)}
        customers: [418]
`;

it('a destination that was added stays who it is once it is configured, under the name that it had then', async () => {
  const config = loadConfig({ CONFIG_FILE: writeTemporary(file) });
  const store = await openTemporaryStore();
  const clients = openTenantClients(config.tenants, config, { store, logger: silent });
  onTestFinished(() => clients.close());
  const added = { tenant: '9104', id: 'added' };
  const saved = { id: added.id, settings: '{}', sealed: Buffer.from('sealed') };
  await store.destinations.add({ tenant: '9104', name: 'erp' }, saved);
  await store.destinations.rename(added, 'shop');
  await store.destinations.configure(config.tenants.map(visibleOf));
  expect(await store.destinations.find({ tenant: '9104', name: 'shop' })).toMatchObject(added);
  const { name, filter } = await clients.destinationOf('9104', added.id);
  expect([name, filter.customers]).toEqual(['shop', ['418']]);
});
