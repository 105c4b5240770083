import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSystem } from '../support/system.ts';
import { createAuthority, startKeyProxy, startTlsProxy } from '../support/temporal-proxy.ts';
import { openFolder } from '../support/temporal-server.ts';

const SERVER = 'temporal.test';

const authority = await createAuthority();
const server = await authority.sign(SERVER);

async function openFiles() {
  const folder = await openFolder();
  return async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
}

/** Starts Dockline on a Temporal server behind a proxy, and expects an order to reach its end there. */
async function expectService(temporalAddress: string, env: Readonly<Record<string, string>>) {
  const own = { TEMPORAL_ADDRESS: temporalAddress };
  const system = await startSystem({ temporalAddress, env: { ...own, ...env } });
  const { simulator, announced } = system;
  const id = simulator.createOrder();
  await simulator.emit(id, 'OrderCreate');
  await simulator.emit(id, 'OrderCancel');
  await expect.poll(() => announced(id)).toEqual(['1/created', '2/canceled']);
}

describe('Dockline reaches a Temporal server', () => {
  it('with a client certificate', async () => {
    const write = await openFiles();
    const clients = await createAuthority();
    const client = await clients.sign('dockline');
    const proxy = await startTlsProxy({ ...server, ca: clients.cert, requestCert: true });
    await expectService(proxy.address, {
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: await write('ca.pem', authority.cert),
      TEMPORAL_TLS_SERVER_NAME: SERVER,
      TEMPORAL_TLS_CLIENT_CERT_PATH: await write('client.pem', client.cert),
      TEMPORAL_TLS_CLIENT_KEY_PATH: await write('client.key', client.key),
    });
  });

  it('with the API key of a profile over TLS', async () => {
    const write = await openFiles();
    const key = 'first-key';
    const { address } = await startKeyProxy(server, key);
    const profile = `[profile.cloud]\naddress = "${address}"\napi_key = "${key}"\n[profile.cloud.tls]\nserver_name = "${SERVER}"\nserver_ca_cert_data = """${authority.cert}"""\n`;
    await expectService(address, {
      TEMPORAL_CONFIG_FILE: await write('temporal.toml', profile),
      TEMPORAL_PROFILE: 'cloud',
    });
  });
});
