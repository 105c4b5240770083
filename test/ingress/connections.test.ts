import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConnectionLimits } from '../../src/ingress/connections.ts';
import { message, openWebhook } from './open-webhook.ts';
import { openConnection } from './raw-connection.ts';

const head = 'POST /webhooks/open HTTP/1.1\r\nhost: dockline\r\n';
const whole = `${head}content-length: ${message.length}\r\n\r\n${message}`;
const problemOf = (text: string): unknown => JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n')));

/** The webhook on a port, with more patience than a test needs. */
async function listen(limits: Partial<ConnectionLimits> = {}, deps: Parameters<typeof openWebhook>[0] = {}) {
  const connectionLimits = { headersMs: 20_000, requestMs: 20_000, connections: 100, ...limits };
  const { app, ...webhook } = await openWebhook({ connectionLimits, ...deps });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  return { ...webhook, open: (from?: string) => openConnection(address, from) };
}

const impatient = { headersMs: 100, requestMs: 200 };

describe('a connection', () => {
  it.each([
    ['says nothing', ''],
    ['stops within its headers', `${head}x-half: `],
    ['stops before its body', `${head}content-length: 100\r\n\r\n`],
    ['stops within its body', `${head}content-length: 100\r\n\r\n{"tplId":`],
    ['stops within a chunk', `${head}transfer-encoding: chunked\r\n\r\nff\r\n{"tplId":`],
    ['stops between chunks', `${head}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('that %s is answered with 408 and closed', async (_case, start) => {
    const { open, inbox } = await listen(impatient);
    const connection = await open();
    connection.write(start);
    const { text, statuses } = await connection.closed();
    expect(statuses).toEqual([408]);
    expect(text).toContain('content-type: application/problem+json');
    expect(problemOf(text)).toMatchObject({ type: 'about:blank', status: 408, title: 'Request Timeout' });
    expect(inbox.counts()).toEqual({ accepted: 0, duplicates: 0, quarantined: 0 });
  });

  it('with slow headers is closed at the limit for headers', async () => {
    const { open } = await listen({ ...impatient, requestMs: 120_000 });
    const connection = await open();
    connection.write(`${head}x-half: `);
    expect((await connection.closed()).statuses).toEqual([408]);
  });

  it('that trickles bytes is closed, too', async () => {
    const { open } = await listen(impatient);
    const connection = await open();
    connection.write(`${head}content-length: 900\r\n\r\n`);
    const drip = setInterval(() => connection.write(' '), 20);
    const { statuses } = await connection.closed().finally(() => clearInterval(drip));
    expect(statuses).toEqual([408]);
  });

  it('that is slow does not delay others', async () => {
    const { open, post } = await listen();
    const slow = await Promise.all(Array.from({ length: 50 }, () => open()));
    for (const connection of slow) connection.write(`${head}content-length: 100\r\n\r\n{`);
    expect((await post(message)).statusCode).toBe(200);
    expect(slow.map((connection) => connection.answer().text).join('')).toBe('');
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a TLS greeting', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), 400],
    ['no host', whole.replace('host: dockline\r\n', ''), 400],
    ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`, 400],
    ['a length and chunks', `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a negative length', `${head}content-length: -1\r\n\r\n`, 400],
    ['a length in words', `${head}content-length: much\r\n\r\n`, 400],
    ['a chunk without a size', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['a line break in a header', `${head}signature: a\n\0b\r\n\r\n`, 400],
    ['an endless header', `${head}signature: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['an endless address', `POST /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: dockline\r\n\r\n`, 431],
    ['a body that is too large', `${head}content-length: 1001\r\n\r\n`, 413],
    ['endless chunk extensions', `${head}transfer-encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\n`, 413],
  ])('with %s is answered with a problem and closed, and nothing is stored', async (_case, bytes, status) => {
    const { open, inbox, lines } = await listen();
    const connection = await open();
    connection.write(bytes);
    const { text, statuses } = await connection.closed();
    expect(statuses).toEqual([status]);
    expect(text.toLowerCase()).toContain('content-type: application/problem+json');
    expect(problemOf(text)).toMatchObject({ type: 'about:blank', status });
    expect(text).not.toMatch(/aaa|hello|much/);
    expect(inbox.counts().accepted).toBe(0);
    expect(lines).toEqual([]);
  });

  it.each([
    ['a body', 'content-length: 900\r\n\r\n'],
    ['a large body', 'content-length: 100000\r\n\r\n'],
    ['a body in chunks', 'transfer-encoding: chunked\r\n\r\n'],
  ])('without credentials is answered with 401 before it sends %s', async (_case, start) => {
    const { open } = await listen();
    const connection = await open();
    connection.write(head.replace('open', 'token') + start);
    expect(await connection.answered(1)).toEqual([401]);
  });

  it('that sends a body in chunks of one byte is answered with 400 and closed, while another is accepted', async () => {
    const { open, post } = await listen({}, { bodyLimit: 4_194_304 });
    const chunks = Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(200_000)}`);
    const attackers = await Promise.all(Array.from({ length: 10 }, () => open()));
    const before = process.memoryUsage();
    for (const attacker of attackers) attacker.write(chunks);
    expect((await post(message)).statusCode).toBe(200);
    const answers = await Promise.all(attackers.map((attacker) => attacker.closed()));
    expect(process.memoryUsage().rss - before.rss).toBeLessThan(300_000_000);
    expect(new Set(answers.flatMap(({ statuses }) => statuses))).toEqual(new Set([400]));
  });

  it('that floods with chunks has the others of its peer closed, and new ones for a minute, but none of another', async () => {
    const { open } = await listen({}, { bodyLimit: 4_194_304 });
    const flooder = await open('127.0.0.2');
    const waiting = await open('127.0.0.2');
    const other = await open();
    flooder.write(`${head}transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(20_000)}`);
    expect((await flooder.closed()).statuses).toEqual([400]);
    expect((await waiting.closed()).statuses).toEqual([]);
    const late = await open('127.0.0.2');
    expect((await late.closed()).statuses).toEqual([]);
    other.write(whole);
    expect(await other.answered(1)).toEqual([200]);
  });

  it('is closed unread once its peer goes on long after it is refused', async () => {
    const { open } = await listen({}, { failuresPerMinute: 2 });
    const ask = async (text: string) => {
      const connection = await open('127.0.0.2');
      connection.write(text);
      return (await connection.closed()).statuses;
    };
    const unsigned = `${head.replace('open', 'token')}connection: close\r\ncontent-length: 0\r\n\r\n`;
    const statuses = [];
    for (let count = 0; count < 9; count += 1) statuses.push(...(await ask(unsigned)));
    expect(statuses).toEqual([401, 401, 429, 429, 429, 429, 429, 429]);
  });

  it.each([
    ['in one piece', 'content-length: 19000000\r\n\r\n', ''],
    ['in chunks', `transfer-encoding: chunked\r\n\r\n${(19_000_000).toString(16)}\r\n`, '\r\n0\r\n\r\n'],
  ])('that sends the whole of a body over the limit first, %s, gets its answer', async (_case, start, end) => {
    const { open } = await listen({}, { bodyLimit: 10_000_000 });
    const connection = await open();
    await connection.writeFirst(Buffer.concat([Buffer.from(head + start), Buffer.alloc(19_000_000), Buffer.from(end)]));
    const { text, statuses } = await connection.closed();
    expect(statuses).toEqual([413]);
    expect(problemOf(text)).toMatchObject({ status: 413, title: 'Content Too Large' });
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

  it('with an unknown expectation is accepted', async () => {
    const { open, inbox } = await listen();
    const connection = await open();
    connection.write(whole.replace('host:', 'expect: tea\r\nconnection: close\r\nhost:'));
    expect((await connection.closed()).statuses).toEqual([200]);
    expect(inbox.counts().accepted).toBe(1);
  });

  it('that offers an upgrade is accepted without it', async () => {
    const { open, inbox } = await listen();
    const connection = await open();
    connection.write(whole.replace('host:', 'upgrade: websocket\r\nconnection: upgrade, close\r\nhost:'));
    expect((await connection.closed()).statuses).toEqual([200]);
    expect(inbox.counts().accepted).toBe(1);
  });

  it('can carry several deliveries at once', async () => {
    const { open, inbox } = await listen();
    const connection = await open();
    connection.write(whole + whole.replaceAll('"wmsEventId":1', '"wmsEventId":2'));
    expect(await connection.answered(2)).toEqual([200, 200]);
    expect(inbox.counts().accepted).toBe(2);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', [200, 200, 400]],
    ['CONNECT', 'CONNECT there:443 HTTP/1.1\r\nhost: there\r\n\r\n', [200, 200, 400]],
    ['a delivery that breaks off', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`, [200, 200, 400]],
    ['a header that is too long', `${head}signature: ${'a'.repeat(20_000)}\r\n\r\n`, [200, 200, 431]],
  ])('that carries deliveries and then %s is answered in order', async (_case, garbage, statuses) => {
    const { open, inbox } = await listen();
    const connection = await open();
    connection.write(whole + whole.replaceAll('"wmsEventId":1', '"wmsEventId":2') + garbage);
    const answer = await connection.closed();
    expect(answer.statuses).toEqual(statuses);
    expect(problemOf(answer.text)).toMatchObject({ status: statuses.at(-1) });
    expect(inbox.counts().accepted).toBe(2);
  });

  it('beyond the limit is closed', async () => {
    const { open } = await listen({ connections: 2 });
    const [first] = [await open(), await open()];
    expect((await (await open()).closed()).text).toBe('');
    first.write(whole);
    expect(await first.answered(1)).toEqual([200]);
  });
});

describe('idle connections', () => {
  const health = 'GET /health/live HTTP/1.1\r\nhost: dockline\r\n\r\n';

  it.each([
    ['were answered', health],
    ['sent nothing', ''],
    ['sent half of their headers', `${head}x-half: `],
    ['sent half of their bodies', `${head}content-length: 100\r\n\r\n{`],
  ])('that %s make room for authentic deliveries, with a line in the log', async (_case, sent) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { open, lines } = await listen({ connections: 20 });
    let closed = 0;
    for (let count = 0; count < 25; count += 1) {
      const attacker = await open();
      attacker.closed().then(() => {
        closed += 1;
      });
      attacker.write(sent);
      if (sent === health) expect(await attacker.answered(1)).toEqual([200]);
    }
    vi.advanceTimersByTime(1500);
    // A tenth of the twenty stays free.
    await expect.poll(() => closed).toBe(7);
    for (let count = 0; count < 3; count += 1) {
      const sender = await open();
      sender.write(whole);
      expect(await sender.answered(1)).toEqual([200]);
    }
    expect(lines).toEqual([expect.stringMatching(/"(closed|dropped)":1.*too many connections are open/)]);
  });

  it('that carried an authentic delivery are closed last', async () => {
    const { open } = await listen({ connections: 20 });
    const sender = await open();
    sender.write(whole);
    expect(await sender.answered(1)).toEqual([200]);
    for (let count = 0; count < 30; count += 1) {
      const attacker = await open();
      attacker.write(health);
      expect(await attacker.answered(1)).toEqual([200]);
    }
    sender.write(whole);
    expect(await sender.answered(2)).toEqual([200, 200]);
  });

  it('are closed early, but for those of a trusted proxy and those that carried an authentic delivery', async () => {
    const { open } = await listen({ idleMs: 100, trustedIdleMs: 30_000 }, { trustedProxies: ['127.0.0.2'] });
    const ask = async (sent: string, from?: string) => {
      const connection = await open(from);
      connection.write(sent);
      await connection.answered(1);
      return connection;
    };
    const kept = [await ask(whole), await ask(health, '127.0.0.2')];
    const closed = [await ask(health), await ask(`${head.replace('open', 'token')}content-length: 0\r\n\r\n`)];
    const answers = await Promise.all(closed.map((connection) => connection.closed()));
    expect(answers.map(({ statuses }) => statuses)).toEqual([[200], [401]]);
    for (const connection of kept) {
      connection.write(health);
      expect(await connection.answered(2)).toEqual([200, 200]);
    }
  });
});
