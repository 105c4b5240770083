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
  const own = { TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_CREDENTIALS_EVERY_MS: '200' };
  const system = await startSystem({ temporalAddress, env: { ...own, ...env } });
  const { simulator, announced } = system;
  const announcesOrder = async () => {
    const id = simulator.createOrder();
    await simulator.emit(id, 'OrderCreate');
    await simulator.emit(id, 'OrderCancel');
    await expect.poll(() => announced(id)).toEqual(['1/created', '2/canceled']);
  };
  await announcesOrder();
  return announcesOrder;
}

describe('Dockline reaches a Temporal server', () => {
  it('with a client certificate, and with the next one once the file has it', async () => {
    const write = await openFiles();
    const writeIdentity = async (clients: Awaited<ReturnType<typeof createAuthority>>) => {
      const { cert, key } = await clients.sign('dockline');
      return { cert: await write('client.pem', cert), key: await write('client.key', key) };
    };
    const first = await createAuthority();
    const second = await createAuthority();
    const proxy = await startTlsProxy({ ...server, ca: first.cert, requestCert: true });
    const files = await writeIdentity(first);
    const announcesOrder = await expectService(proxy.address, {
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: await write('ca.pem', authority.cert),
      TEMPORAL_TLS_SERVER_NAME: SERVER,
      TEMPORAL_TLS_CLIENT_CERT_PATH: files.cert,
      TEMPORAL_TLS_CLIENT_KEY_PATH: files.key,
    });
    const before = proxy.refusals();
    await writeIdentity(second);
    // The server learns of the new authority later than Dockline of its certificate.
    await expect.poll(proxy.refusals).toBeGreaterThan(before);
    proxy.acceptClientsOf(second);
    proxy.disconnect();
    await announcesOrder();
  });

  it('with an API key over TLS, and with the next one once the profile has it', async () => {
    const write = await openFiles();
    let key = 'first-key';
    const { address, disconnect } = await startKeyProxy(server, () => key);
    const profile = (apiKey: string) =>
      write(
        'temporal.toml',
        `[profile.cloud]\naddress = "${address}"\napi_key = "${apiKey}"\n[profile.cloud.tls]\nserver_name = "${SERVER}"\nserver_ca_cert_data = """${authority.cert}"""\n`,
      );
    const announcesOrder = await expectService(address, {
      TEMPORAL_CONFIG_FILE: await profile(key),
      TEMPORAL_PROFILE: 'cloud',
    });
    key = 'second-key';
    await profile(key);
    disconnect();
    await announcesOrder();
  });
});
