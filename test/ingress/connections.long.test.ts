import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startShippedNginx, whyNoNginx } from '../support/shipped-nginx.ts';
import { message, openWebhook } from './open-webhook.ts';

/** Bytes received over a connection. */
interface RawAnswer {
  /** Status of each answer, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** Opens a connection for arbitrary bytes, from an address of this machine. */
async function openConnection(address: string, localAddress = '127.0.0.1') {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // The server may close while the test still writes.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  const answer = (): RawAnswer => {
    const text = Buffer.concat(chunks).toString();
    return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)) };
  };
  return {
    write: (data: string | Uint8Array) => void socket.write(data),
    /** Writes everything before it reads, as many clients do; resolves even if the server refuses it. */
    async writeFirst(data: Uint8Array): Promise<void> {
      socket.pause();
      await new Promise((resolve) => socket.write(data, resolve));
      socket.resume();
    },
    /** Resets the connection, as a crash does. */
    abort: () => void socket.resetAndDestroy(),
    answer,
    /** Resolves to the statuses once there are so many, or the server has closed the connection. */
    async answered(count: number): Promise<RawAnswer['statuses']> {
      while (answer().statuses.length < count && !socket.closed) await Promise.race([once(socket, 'data'), closed]);
      return answer().statuses;
    },
    /** Resolves once the server has closed the connection. */
    async closed(): Promise<RawAnswer> {
      await closed;
      return answer();
    },
  };
}

const head = 'POST /webhooks/open HTTP/1.1\r\nhost: dockline\r\n';
const whole = `${head}content-length: ${message.length}\r\n\r\n${message}`;

/** The webhook on a port. */
async function listen(deps: Parameters<typeof openWebhook>[0] = {}) {
  const { app, ...webhook } = await openWebhook(deps);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return { ...webhook, app, address, open: (from?: string) => openConnection(address, from) };
}

describe('a connection', () => {
  it.each([
    ['says nothing', ''],
    ['stops within its headers', `${head}x-half: `],
    ['stops within its body', `${head}content-length: 100\r\n\r\n{"tplId":`],
    ['stops between chunks', `${head}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('that %s is closed, and nothing is stored', async (_case, start) => {
    const { open, inbox } = await listen({ timeouts: { headersMs: 100, requestMs: 200, idleMs: 100 } });
    const connection = await open();
    connection.write(start);
    expect((await connection.closed()).statuses).toEqual([408]);
    expect(inbox.counts()).toEqual({ accepted: 0, duplicates: 0, quarantined: 0 });
  });

  it('that is slow does not delay others', async () => {
    const { open, post } = await listen();
    const slow = await Promise.all(Array.from({ length: 50 }, () => open()));
    for (const connection of slow) connection.write(`${head}content-length: 100\r\n\r\n{`);
    expect((await post(message)).statusCode).toBe(200);
    expect(slow.map((connection) => connection.answer().text).join('')).toBe('');
  });

  it.each([
    ['a body', 'content-length: 900\r\n\r\n'],
    ['a large body', 'content-length: 100000\r\n\r\n'],
    ['a body in chunks', 'transfer-encoding: chunked\r\n\r\n'],
  ])('without credentials is answered with 401 before it sends %s', async (_case, start) => {
    const { open } = await listen({ bodyLimit: 4_194_304 });
    const connection = await open();
    connection.write(head.replace('open', 'token') + start);
    expect(await connection.answered(1)).toEqual([401]);
  });

  it('that is reset within its body leaves nothing behind and is not logged', async () => {
    const { open, post, inbox, lines } = await listen();
    const connection = await open();
    connection.write(whole.slice(0, -5));
    connection.abort();
    await connection.closed();
    expect((await post(message)).statusCode).toBe(200);
    expect(inbox.counts()).toEqual({ accepted: 1, duplicates: 0, quarantined: 0 });
    expect(lines).toEqual([]);
  });

  it('can carry several deliveries at once', async () => {
    const { open, inbox } = await listen();
    const connection = await open();
    connection.write(whole + whole.replaceAll('"wmsEventId":1', '"wmsEventId":2'));
    expect(await connection.answered(2)).toEqual([200, 200]);
    expect(inbox.counts().accepted).toBe(2);
  });
});

describe.skipIf(await whyNoNginx())('behind nginx as shipped', () => {
  async function setUp() {
    const opened = new AsyncDisposableStack();
    onTestFinished(() => opened.disposeAsync());
    const webhook = await listen({ bodyLimit: 4_194_304, failuresPerMinute: 3, trustedProxies: ['127.0.0.1'] });
    const url = await startShippedNginx(`${webhook.address}/webhooks/open`, opened);
    const connections = () => new Promise((resolve) => webhook.app.server.getConnections((_error, n) => resolve(n)));
    return { ...webhook, connections, open: (from?: string) => openConnection(url, from) };
  }

  it.each([
    ['says nothing', ''],
    ['stops within its headers', `${head}x-half: `],
    ['stops within its body', `${head}content-length: 100\r\n\r\n{"tplId":`],
    ['stops between chunks', `${head}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
    ['sends chunks of one byte', `${head}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(100_000)}`],
  ])('a sender that %s never reaches the webhook, and delays no other', async (_case, start) => {
    const { open, connections, inbox } = await setUp();
    const slow = await Promise.all(Array.from({ length: 50 }, () => open('127.0.0.2')));
    for (const connection of slow) connection.write(start);
    const sender = await open();
    sender.write(whole);
    expect(await sender.answered(1)).toEqual([200]);
    expect(await connections()).toBe(1);
    expect(inbox.counts().accepted).toBe(1);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`],
    ['a length and chunks', `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['CONNECT', 'CONNECT there:443 HTTP/1.1\r\nhost: there\r\n\r\n'],
  ])('deliveries and then %s are answered in order', async (_case, garbage) => {
    const { open, inbox } = await setUp();
    const connection = await open();
    connection.write(whole + whole.replaceAll('"wmsEventId":1', '"wmsEventId":2') + garbage);
    const { statuses } = await connection.closed();
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    expect(statuses[2]).toBeGreaterThanOrEqual(400);
    expect(inbox.counts().accepted).toBe(2);
  });

  it('a method that Node does not know costs the deliveries after it nothing', async () => {
    const { open } = await setUp();
    const unknown = `${head.replace('POST', 'BREW')}content-length: 0\r\n\r\n`;
    for (let count = 0; count < 30; count += 1) {
      const connection = await open();
      connection.write(unknown + whole);
      expect(await connection.answered(2)).toEqual([400, 200]);
    }
  });
});
