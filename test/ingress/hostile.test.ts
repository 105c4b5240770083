import { once } from 'node:events';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { sayReason } from '../../src/domain/quarantine.ts';
import { readReason, reasonColumns, type StoredReason } from '../../src/inbox/tables/quarantined.ts';
import { waitingKeys } from '../store/recordings.ts';
import { startKeyServer } from './key-server.ts';
import { endpointsWith, message, openWebhook } from './open-webhook.ts';

const LIMIT = 1_000_000;

/** Opens the webhook on a port with the warehouse's scheme; `send` signs. */
async function setUp() {
  const server = await startKeyServer();
  const endpoints = endpointsWith(server.pinnedVerifier());
  const { app, ...webhook } = await openWebhook({ endpoints, bodyLimit: LIMIT });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const post = (chunks: readonly (string | Buffer)[], headers: OutgoingHttpHeaders = {}, path = '/webhooks/open') =>
    exchange(address + path, chunks, headers);
  const send = (body: string | Buffer, headers: OutgoingHttpHeaders = {}) =>
    post([body], { signature: server.sign(body), ...headers });
  return { ...webhook, server, post, send };
}

/** Sends chunks as they are, without a content-length unless given. */
async function exchange(url: string, chunks: readonly (string | Buffer)[], headers: OutgoingHttpHeaders) {
  const call = request(url, { method: 'POST', headers, agent: false });
  const answered = once(call, 'response');
  for (const chunk of chunks) call.write(chunk);
  call.end();
  const [answer] = await answered;
  const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString();
  return { status: answer.statusCode as number, headers: answer.headers, text };
}

const messageWith = (more: object) => JSON.stringify({ ...JSON.parse(message), ...more });
const BOMB = Buffer.alloc(20_000_000, ' ');

/** Returns all deliveries, the oldest first, with the reasons of those in quarantine. */
async function storedIn({ db }: Store) {
  const rows = await db
    .selectFrom('inbox')
    .select(['body', ...reasonColumns])
    .orderBy('id')
    .execute();
  return rows.map(({ code, data, ...row }) => ({
    ...row,
    reason: code === null ? null : sayReason(readReason({ code, data } as StoredReason)),
  }));
}

describe('an authentic delivery', () => {
  it.each<[string, string | Buffer, string]>([
    ['that is not UTF-8', Buffer.from(message.replace('Order', 'Ordér'), 'latin1'), 'unreadable: not UTF-8'],
    ['of 400,000 elements', messageWith({ more: Array(400_000).fill(0) }), 'unreadable: more than 100000 values'],
    ['with __proto__', message.replace('{', '{"__proto__":{"tplId":1},'), 'unreadable: the key "__proto__"'],
    [
      'whose event nobody knows',
      messageWith({ eventType: 'Order\u0000\ud800' }),
      expect.stringContaining('unknown event "Order\\u0000\\ud800" of an order'),
    ],
  ])('%s is answered with 200 and quarantined', async (_case, body, reason) => {
    const { send, inbox, store, lines } = await setUp();
    expect((await send(body)).status).toBe(200);
    expect(inbox.counts()).toEqual({ accepted: 0, duplicates: 0, quarantined: 1 });
    const stored = await storedIn(store);
    expect(stored).toEqual([{ reason, body: expect.any(Uint8Array) }]);
    expect(Buffer.from(stored[0]?.body ?? []).equals(Buffer.from(body as string))).toBe(true);
    expect(lines).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['zero bytes and half characters in its notes', messageWith({ tags: '\u0000\ud800' }), 'order:9104:7'],
    ['a number beyond 2^53', message.replace('"7"', '9007199254740993'), 'order:9104:9007199254740993'],
    ['a number beyond all bounds', message.replace('{', '{"more":1e999,'), 'order:9104:7'],
    ['constructor and toString as keys', messageWith({ constructor: 1, toString: 2 }), 'order:9104:7'],
  ])('with %s is read', async (_case, body, subjectKey) => {
    const { send, store } = await setUp();
    expect((await send(body)).status).toBe(200);
    expect(await waitingKeys(store)).toEqual([subjectKey]);
  });

  it.each([
    ['gzip', gzipSync, 'unreadable: compressed with gzip; let it be sent without'],
    ['deflate', deflateSync, expect.stringMatching(/^unreadable: not (UTF-8|JSON)$/)],
    ['br', brotliCompressSync, expect.stringMatching(/^unreadable: not (UTF-8|JSON)$/)],
  ])(
    'that is compressed with %s is verified, quarantined as unreadable and never decompressed',
    async (encoding, compress, reason) => {
      const { send, store, server } = await setUp();
      const bomb = compress(BOMB);
      expect(bomb.length).toBeLessThan(LIMIT);
      const before = process.memoryUsage().arrayBuffers;
      for (const bytes of [compress(Buffer.from(message)), bomb])
        expect((await send(bytes, { 'content-encoding': encoding })).status).toBe(200);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(BOMB.length);
      expect((await storedIn(store)).map((row) => row.reason)).toEqual([reason, reason]);
      // A signature of the uncompressed body does not match.
      const signature = server.sign(message);
      const headers = { signature, 'content-encoding': encoding };
      expect((await send(compress(Buffer.from(message)), headers)).status).toBe(401);
    },
  );

  it('in many small chunks is joined', async () => {
    const { post, server, store } = await setUp();
    expect((await post([...message], { signature: server.sign(message) })).status).toBe(200);
    expect(store.inbox.waiting()).toBe(1);
  });

  it('is accepted with any content type', async () => {
    const { send, store } = await setUp();
    const types = [
      undefined,
      '',
      '/',
      ';;;"',
      'nonsense',
      'x'.repeat(500),
      ['text/plain', 'application/xml'],
      'text/plain',
      'application/json',
      'application/json; charset=utf-16',
      'application/json; charset="',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
    ];
    for (const [index, type] of types.entries()) {
      const headers = (type === undefined ? {} : { 'content-type': type }) as OutgoingHttpHeaders;
      expect([type, (await send(messageWith({ wmsEventId: index + 1 }), headers)).status]).toEqual([type, 200]);
    }
    expect(store.inbox.waiting()).toBe(types.length);
  });
});

describe('an unauthentic delivery', () => {
  it.each<[string, OutgoingHttpHeaders]>([
    ['no signature', {}],
    ['an endless signature', { signature: 'A'.repeat(12_000) }],
  ])('with %s is answered with 401, and nothing is stored', async (_case, headers) => {
    const { post, inbox, lines } = await setUp();
    const answer = await post([message], headers);
    expect([answer.status, answer.headers['content-type']]).toEqual([401, 'application/problem+json; charset=utf-8']);
    expect(inbox.counts()).toEqual({ accepted: 0, duplicates: 0, quarantined: 0 });
    expect(lines).toEqual([]);
  });

  it('with the right signature beside another is answered with 401', async () => {
    const { post, server } = await setUp();
    const signature = server.sign(message);
    for (const other of ['YQ==', signature])
      expect((await post([message], { signature: [signature, other] })).status).toBe(401);
  });

  it.each([
    [undefined, 'Bearer'],
    ['Bearer guess', 'Bearer'],
  ])('with the authorization %j is answered with a challenge', async (authorization, scheme) => {
    const { post } = await setUp();
    const answer = await post([message], authorization ? { authorization } : {}, '/webhooks/token');
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(new RegExp(`^${scheme} realm=`));
  });
});

describe('a body over the limit', () => {
  const chunks = Array<Buffer>(30).fill(Buffer.alloc(100_000, ' '));

  it.each([
    ['in its content-length', { 'content-length': 3_000_000 }],
    ['that comes in chunks', {}],
  ])('%s is answered with 413', async (_case, headers) => {
    const { post, inbox } = await setUp();
    const answer = await post(chunks, headers);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([413, { title: 'Content Too Large' }]);
    expect(inbox.counts().quarantined).toBe(0);
  });

  it('does not affect one at the limit', async () => {
    const { send, store } = await setUp();
    expect((await send(message + ' '.repeat(LIMIT - message.length))).status).toBe(200);
    expect(store.inbox.waiting()).toBe(1);
    expect((await send(message + ' '.repeat(LIMIT - message.length + 1))).status).toBe(413);
  });
});

describe('answers and the log', () => {
  it('contain nothing of a request', async () => {
    const canary = 'canary-7f3a91';
    const { post, send, inbox, lines } = await setUp();
    const headers = { authorization: `Bearer ${canary}`, signature: canary, cookie: canary, 'x-request-id': canary };
    const answers = [
      await post([canary], headers),
      await post([canary], headers, `/webhooks/token?token=${canary}`),
      await post([canary], headers, `/webhooks/${canary}?a=${canary}`),
      await post([canary], headers, `/${canary}%zz`),
      await post([canary.repeat(100_000)], headers),
      await send(canary),
      await send(messageWith({ eventType: canary })),
    ];
    await inbox.close();
    answers.push(await send(messageWith({ wmsEventId: 2, tags: canary })));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 404, 413, 200, 200, 503]);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(canary);
    expect(JSON.stringify(answers)).not.toContain(canary);
  });
});
