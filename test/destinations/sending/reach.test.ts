import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDestination, type DestinationOptions } from '../../../src/destinations/kinds/http.ts';
import { createCertificates, hasOpenssl } from '../../support/certificates.ts';
import { ELSEWHERE, type Manner, startHttpProxy } from '../../support/http-proxy.ts';
import { listen } from '../../support/listen.ts';
import { never } from '../../warehouse/open-warehouse.ts';
import { startRecordingServer } from '../../warehouse/recording-server.ts';
import { outgoingOf, packed, secret } from '../announcements/announcements.ts';

const announcement = outgoingOf(packed);

function open(options: Pick<DestinationOptions, 'url'> & Partial<DestinationOptions>) {
  const destination = createDestination({ secret: [secret], timeoutMs: 60_000, allowedAddresses: [], ...options });
  onTestFinished(() => destination.close());
  return () => destination.send(announcement, never);
}

async function openProxied(manner?: Manner) {
  const { url, requests } = await startRecordingServer(() => ({ status: 204 }));
  const proxy = await startHttpProxy(Number(new URL(url).port), manner);
  return { requests, proxy, proxies: { HTTP_PROXY: proxy.url, NO_PROXY: [] } };
}

describe('a destination behind a proxy', () => {
  it.each(['http://10.0.0.1', 'https://10.0.0.1', 'https://[::ffff:169.254.169.254]', 'https://[64:ff9b::7f00:1]'])(
    'is refused if it is internal, before the proxy hears of it: %s',
    async (url) => {
      const { proxy, proxies } = await openProxied();
      await expect(open({ url, proxies })()).rejects.toMatchObject({
        code: 'ERR_DESTINATION_ADDRESS',
        message: expect.stringMatching(/^\S+ is at \S+, which is internal$/),
      });
      expect(proxy.asked).toEqual([]);
    },
  );

  it('may be internal if its address is listed', async () => {
    const { proxy, proxies } = await openProxied();
    await open({ url: 'http://10.0.0.1/in', proxies, allowedAddresses: ['10.0.0.1'] })();
    expect(proxy.asked).toEqual(['POST http://10.0.0.1/in']);
  });

  it('is guarded as ever if NO_PROXY names it', async () => {
    const { proxy, proxies } = await openProxied();
    const url = proxy.url.replace(/.*@127\.0\.0\.1/, 'http://0.0.0.0');
    await expect(open({ url, proxies: { ...proxies, NO_PROXY: ['0.0.0.0'] } })()).rejects.toMatchObject({
      code: 'ERR_DESTINATION_ADDRESS',
    });
  });
});

describe.skipIf(!hasOpenssl)('a destination that wants a client certificate', () => {
  const certificates = hasOpenssl ? createCertificates() : undefined;
  afterAll(() => certificates?.remove());
  const read = (name: string) => certificates?.read(name) ?? '';
  const tls = { ca: read('ca.crt'), cert: read('client.crt'), key: read('client.key') };

  /** Starts a server that takes only clients of its authority. */
  async function startServer() {
    const names: string[] = [];
    const own = { ca: tls.ca, cert: read('server.crt'), key: read('server.key') };
    const server = createServer({ ...own, requestCert: true, rejectUnauthorized: true }, (request, answer) => {
      names.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      request.resume().on('end', () => answer.writeHead(204).end());
    });
    return { names, port: await listen(server) };
  }

  it('is shown it', async () => {
    const { names, port } = await startServer();
    expect(await open({ url: `https://127.0.0.1:${port}`, tls })()).toMatchObject({ status: 204 });
    expect(names).toEqual(['client']);
  });

  it('is shown it through a tunnel', async () => {
    const { names, port } = await startServer();
    const proxy = await startHttpProxy(port);
    const proxies = { HTTPS_PROXY: proxy.url, NO_PROXY: [] };
    expect(await open({ url: `https://${ELSEWHERE}`, tls, proxies })()).toMatchObject({ status: 204 });
    expect(names).toEqual(['client']);
    expect(proxy.asked).toEqual([`CONNECT ${ELSEWHERE}:443`]);
  });

  it.each([
    ['no certificate', { ca: tls.ca }],
    ['one of another authority', { ...tls, cert: read('stranger.crt'), key: read('stranger.key') }],
    ['no trust in its authority', { cert: tls.cert, key: tls.key }],
  ])('is unreachable with %s', async (_, given) => {
    const { names, port } = await startServer();
    const url = `https://127.0.0.1:${port}`;
    await expect(open({ url, tls: given })()).rejects.toMatchObject({
      code: 'ERR_DESTINATION_UNREACHABLE',
      message: expect.stringMatching(/^POST https:\/\/127\.0\.0\.1:\d+ failed: \w+$/),
    });
    expect(names).toEqual([]);
  });
});
