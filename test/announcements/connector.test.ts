import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedConnector } from '../../src/announcements/connector.ts';
import { createGuard } from '../../src/announcements/guard.ts';

/** A server that counts connections and the bytes that come over them. */
async function startCounter() {
  const counts = { connections: 0, bytes: 0 };
  const server = createServer((socket) => {
    counts.connections += 1;
    socket.on('data', (chunk) => {
      counts.bytes += chunk.length;
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { counts, port: (server.address() as AddressInfo).port };
}

/** A name server that tells loopback for every name. */
const lookup: LookupFunction = (_hostname, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);

function open(origin: string, options: { allowed?: string[]; connect?: object } = {}) {
  const guard = createGuard(origin, options.allowed ?? []);
  const agent = new Agent({ connect: createGuardedConnector(guard, { lookup, ...options.connect }) });
  onTestFinished(() => agent.destroy());
  return agent.request({ origin, path: '/', method: 'POST', body: 'a secret' });
}

describe('a guarded connection', () => {
  it.each(['[::ffff:127.0.0.1]', 'hooks.example.com'])(
    'to %s, which is loopback, is given up before any byte',
    async (host) => {
      const { counts, port } = await startCounter();
      await expect(open(`https://${host}:${port}`)).rejects.toMatchObject({
        code: 'ERR_DESTINATION_ADDRESS',
        message: expect.stringMatching(/ is at (::ffff:)?127\.0\.0\.1, which is internal$/),
      });
      await expect.poll(() => counts.connections).toBe(1);
      expect(counts.bytes).toBe(0);
    },
  );

  it('is upgraded to TLS once the address has passed', async () => {
    const psk = Buffer.from('a key of both ends');
    const server = createTlsServer({ ciphers: 'PSK', maxVersion: 'TLSv1.2', pskCallback: () => psk }, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());

    const { port } = server.address() as AddressInfo;
    const connect = {
      ciphers: 'PSK',
      maxVersion: 'TLSv1.2',
      pskCallback: () => ({ psk, identity: 'test' }),
      checkServerIdentity: () => undefined,
    };
    const response = await open(`https://hooks.example.com:${port}`, { allowed: ['127.0.0.1'], connect });
    expect(response.statusCode).toBe(204);
  });

  it('that nobody takes fails with its own error', async () => {
    await expect(open('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
