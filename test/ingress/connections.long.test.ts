import { describe, expect, it, onTestFinished } from 'vitest';
import { startShippedNginx, whyNoNginx } from '../support/shipped-nginx.ts';
import { message, openWebhook } from './open-webhook.ts';
import { openConnection } from './raw-connection.ts';

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
