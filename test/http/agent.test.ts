import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AgentOptions, createAgent, proxyAnswer } from '../../src/http/agent.ts';
import { createCertificates, hasOpenssl } from '../support/certificates.ts';
import { ELSEWHERE, type Manner, startHttpProxy } from '../support/http-proxy.ts';
import { listen } from '../support/listen.ts';
import { startRecordingServer } from '../warehouse/recording-server.ts';

function open(options: AgentOptions) {
  const agent = createAgent(options);
  onTestFinished(() => agent.close());
  return async (origin: string) => {
    const { statusCode, body } = await agent.request({ origin, path: '/in?a=1', method: 'POST', body: 'x' });
    return `${statusCode} ${await body.text()}`;
  };
}

async function openProxied(manner?: Manner) {
  const server = await startRecordingServer(({ headers }) => ({ body: headers.host ?? '' }));
  const proxy = await startHttpProxy(Number(new URL(server.url).port), manner);
  return { server, proxy, proxies: { HTTP_PROXY: proxy.url, NO_PROXY: [] } };
}

describe('an agent', () => {
  it('has a proxy forward plain http, and shows it its user and password', async () => {
    const { server, proxy, proxies } = await openProxied();
    const send = open({ proxies });
    expect(await send(`http://${ELSEWHERE}`)).toBe(`200 ${ELSEWHERE}`);
    expect(proxy).toMatchObject({
      asked: [`POST http://${ELSEWHERE}/in?a=1`],
      authorizations: [`Basic ${Buffer.from('me:p@ss').toString('base64')}`],
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', target: '/in?a=1', body: 'x' });
  });

  it('keeps no connection for long, since its server may have moved', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let connections = 0;
    const server = createServer((_request, answer) => answer.end()).on('connection', () => (connections += 1));
    const url = `http://127.0.0.1:${await listen(server)}`;
    const send = open({});
    const counted = [];
    for (const age of [0, 29_000, 2000]) {
      vi.advanceTimersByTime(age);
      await send(url);
      await nextTurn();
      counted.push(connections);
    }
    expect(counted).toEqual([1, 1, 2]);
  });

  it('asks no proxy for loopback, nor for what NO_PROXY names', async () => {
    const { server, proxy, proxies } = await openProxied();
    expect(await open({ proxies })(server.url)).toMatch(/^200/);
    const direct = server.url.replace('127.0.0.1', '0.0.0.0');
    expect(await open({ proxies: { ...proxies, NO_PROXY: ['0.0.0.0'] } })(direct)).toMatch(/^200/);
    expect(proxy.asked).toEqual([]);
  });

  it('asks a proxy only for what is admitted', async () => {
    const { proxy, proxies } = await openProxied();
    const admit = async (hostname: string) => Promise.reject(new Error(`not ${hostname}`));
    for (const scheme of ['http', 'https'])
      await expect(open({ proxies, admit })(`${scheme}://${ELSEWHERE}`)).rejects.toThrow(`not ${ELSEWHERE}`);
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    ['http', 407, 'the proxy answered 407'],
    ['https', 407, 'the proxy answered 407'],
    ['https', 502, 'the proxy answered 502'],
    ['http', 'closes', undefined],
    ['https', 'closes', undefined],
  ] as const)('for %s fails after one attempt if its proxy does so: %s', async (scheme, manner, answer) => {
    const { proxy, proxies } = await openProxied(manner);
    const error = await open({ proxies })(`${scheme}://${ELSEWHERE}`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(proxyAnswer(error)).toBe(answer);
    expect(proxy.asked).toHaveLength(1);
  });

  it('fails if the proxy is away', async () => {
    const send = open({ proxies: { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: [] } });
    for (const scheme of ['http', 'https'])
      await expect(send(`${scheme}://${ELSEWHERE}`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe.skipIf(!hasOpenssl)('an agent with TLS behind a proxy', () => {
  const certificates = hasOpenssl ? createCertificates() : undefined;
  afterAll(() => certificates?.remove());
  const [ca = '', cert = '', key = ''] = ['ca.crt', 'server.crt', 'server.key'].map((name) => certificates?.read(name));

  it('speaks it with the server, through a tunnel that is kept', async () => {
    const port = await listen(createTlsServer({ cert, key }, ({ headers }, answer) => answer.end(headers.host)));
    const proxy = await startHttpProxy(port);
    const proxies = { HTTPS_PROXY: proxy.url, NO_PROXY: [] };
    const send = open({ proxies, tls: { ca } });
    for (let sent = 0; sent < 9; sent += 1)
      expect(await send(`https://${ELSEWHERE}:8443`)).toBe(`200 ${ELSEWHERE}:8443`);
    expect(proxy.asked[0]).toBe(`CONNECT ${ELSEWHERE}:8443`);
    const { length } = proxy.asked;
    expect(length).toBeLessThanOrEqual(2);
    const fresh = open({ proxies, tls: { ca }, pipelining: 0 });
    for (let sent = 0; sent < 5; sent += 1) expect(await fresh(`https://${ELSEWHERE}:8443`)).toMatch(/^200/);
    expect(proxy.asked).toHaveLength(length + 5);
    await expect(open({ proxies })(`https://${ELSEWHERE}:8443`)).rejects.toMatchObject({
      code: expect.stringMatching(/CERT|VERIFY/),
    });
  });
});
