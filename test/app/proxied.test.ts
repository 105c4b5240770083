import { expect, it, onTestFinished } from 'vitest';
import { openTenantClients } from '../../src/app/tenant-clients.ts';
import { endpointsOf } from '../../src/app/webhook.ts';
import { loadConfig } from '../../src/config/config.ts';
import { outgoingOf, packed, secret } from '../destinations/announcements/announcements.ts';
import { silent } from '../ingress/key-server.ts';
import { signedRequest } from '../ingress/verification/signed-request.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { ELSEWHERE, startHttpProxy } from '../support/http-proxy.ts';
import { orderOf } from '../support/make.ts';
import { never } from '../warehouse/open-warehouse.ts';

it('a tenant is reached through the proxy of the environment: its warehouse, its public key and its destination', async () => {
  const proxy = await startHttpProxy(0, 502);
  const config = loadConfig({
    WAREHOUSE_TENANT: '9104',
    WAREHOUSE_BASE_URL: `https://${ELSEWHERE}:1`,
    WAREHOUSE_AUTH_URL: `https://${ELSEWHERE}:2`,
    WAREHOUSE_CLIENT_ID: 'client',
    WAREHOUSE_CLIENT_SECRET: 'secret',
    WAREHOUSE_USER_LOGIN: 'dockline',
    ANNOUNCE_URL: `https://${ELSEWHERE}:3`,
    ANNOUNCE_SECRET: secret,
    HTTPS_PROXY: proxy.url,
  });
  const { tenants } = config;
  const clients = openTenantClients(tenants, config, { store: await openTemporaryStore(), logger: silent });
  onTestFinished(() => clients.close());
  const order = orderOf('7');
  await expect(clients.warehouseOf('9104', () => {}).getSubject(order, never)).rejects.toThrow(
    'the proxy answered 502',
  );
  const destination = await clients.destinationOf('9104', 'default');
  await expect(destination.send(outgoingOf(packed), never)).rejects.toThrow('the proxy answered 502');
  const request = signedRequest({ headers: { signature: 'YQ==' } });
  await endpointsOf(tenants, config, silent).get('warehouse')?.verify(request);
  expect(proxy.asked).toEqual([2, 3, 1].map((port) => `CONNECT ${ELSEWHERE}:${port}`));
});
