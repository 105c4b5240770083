import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AgentOptions, createAgent } from '../../src/http/agent.ts';
import { createCertificates, hasOpenssl } from '../support/certificates.ts';
import { ELSEWHERE } from '../support/http-proxy.ts';
import { listen } from '../support/listen.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n';

const write = (answer: string) => (socket: Socket) => void socket.write(answer);

/** Answers whatever arrives on a connection. */
const answering = (answer: (socket: Socket) => void) => (socket: Socket) =>
  void socket.on('error', () => undefined).on('data', () => answer(socket));

function open(origin: string, options: AgentOptions = {}) {
  const agent = createAgent(options);
  onTestFinished(() => agent.destroy());
  return async () => {
    const { statusCode, body } = await agent.request({ origin, path: '/', method: 'POST', body: 'x' });
    return `${statusCode} ${await body.text()}`;
  };
}

const openPlain = async (answer: (socket: Socket) => void) =>
  open(`http://127.0.0.1:${await listen(createServer(answering(answer)))}`);

describe('an answer', () => {
  it.each([
    ['100', CONTINUE],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103', HINTS],
    ['one that nobody knows', 'HTTP/1.1 199 Soon\r\n\r\n'],
    ['100 without a reason', 'HTTP/1.1 100\r\n\r\n'],
    ['100 of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
    ['100 with headers', 'HTTP/1.1 100 Continue\r\nserver: old\r\nconnection: keep-alive\r\n\r\n'],
    ['several', CONTINUE + HINTS + CONTINUE.repeat(1000)],
  ])('is the one after an interim one, on each use of a connection: %s', async (_, interim) => {
    const send = await openPlain(write(interim + OK));
    for (let sent = 0; sent < 5; sent += 1) expect(await send()).toBe('200 ok');
  });

  it('may come byte by byte', async () => {
    const send = await openPlain(async (socket) => {
      for (const byte of CONTINUE + HINTS + OK) await new Promise((done) => socket.write(byte, done));
    });
    expect(await send()).toBe('200 ok');
    expect(await send()).toBe('200 ok');
  });

  it('keeps what looks like an interim one in its body', async () => {
    const body = CONTINUE.repeat(3);
    const send = await openPlain((socket) => {
      socket.write(`${CONTINUE}HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`, () =>
        setImmediate(() => socket.write(body)),
      );
    });
    expect(await send()).toBe(`200 ${body}`);
    expect(await send()).toBe(`200 ${body}`);
  });

  it.each([
    ['only interim ones', CONTINUE],
    ['the beginning of an interim one', 'HTTP/1.1 10'],
  ])('is missing if its connection ends after %s', async (_, answer) => {
    const send = await openPlain((socket) => socket.end(answer));
    await expect(send()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });

  it('is missing if an interim one has no end', async () => {
    const send = await openPlain(write(`HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(40_000)}`));
    await expect(send()).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_OVERFLOW' });
  });

  it('is none after another protocol was switched to, which nobody asked for', async () => {
    const send = await openPlain(
      write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n${OK}`),
    );
    await expect(send()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });
});

describe.skipIf(!hasOpenssl)('an answer over TLS', () => {
  const certificates = hasOpenssl ? createCertificates() : undefined;
  afterAll(() => certificates?.remove());
  const [ca = '', cert = '', key = ''] = ['ca.crt', 'server.crt', 'server.key'].map((name) => certificates?.read(name));
  const openTls = async () => await listen(createTlsServer({ cert, key }, answering(write(CONTINUE + OK))));

  it.each(['HTTP/1.1 200 OK\r\n\r\n', `${CONTINUE}HTTP/1.1 200 OK\r\n\r\n`])(
    'through a proxy that answers %j is the one after an interim one',
    async (tunnel) => {
      const port = await openTls();
      const proxy = await listen(
        createServer((near) =>
          near.once('data', () => {
            const far = connect(port, '127.0.0.1', () => near.write(tunnel));
            near.pipe(far).pipe(near);
            near.on('error', () => far.destroy());
            far.on('error', () => near.destroy());
          }),
        ),
      );
      const send = open(`https://${ELSEWHERE}`, {
        proxies: { HTTPS_PROXY: `http://127.0.0.1:${proxy}`, NO_PROXY: [] },
        tls: { ca },
      });
      expect(await send()).toBe('200 ok');
      expect(await send()).toBe('200 ok');
    },
  );
});

describe('an answer that a proxy forwards', () => {
  it('is the one after an interim one', async () => {
    const proxy = await listen(createServer(answering(write(CONTINUE + OK))));
    const send = open(`http://${ELSEWHERE}`, { proxies: { HTTP_PROXY: `http://127.0.0.1:${proxy}`, NO_PROXY: [] } });
    expect(await send()).toBe('200 ok');
  });
});
