import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import type { DeliveryObserver } from '../../src/ingress/routes.ts';
import { rsaSha256 } from '../../src/ingress/verification/rsa-sha256.ts';
import { fillDisk } from '../store/temporary-store.ts';
import { lookedUp, silent, startKeyServer } from './key-server.ts';
import { endpointsWith, message, openWebhook, TOKEN } from './open-webhook.ts';

const problem = (status: number, title: string) => ({ type: 'about:blank', status, title, detail: expect.any(String) });

describe('a delivery', () => {
  it('is answered with 200 once it is durable, and again when it is repeated', async () => {
    const { post, store } = await openWebhook();
    const first = await post(message);
    expect(first.statusCode).toBe(200);
    expect(store.inbox.waiting()).toBe(1);
    const second = await post(message);
    expect([second.statusCode, second.body]).toEqual([200, first.body]);
    expect(store.inbox.waiting()).toBe(1);
  });

  it('is reported with its outcome, its status and the time that it took', async () => {
    const seen: Parameters<DeliveryObserver>[0][] = [];
    const { post } = await openWebhook({ requestsPerMinute: 3, onAnswered: (answered) => seen.push(answered) });
    for (const body of [message, message, 'unreadable', message]) await post(body);
    await post(message, {}, '/webhooks/token');
    await post(message, { 'content-length': '2000' }, '/webhooks/open');
    await post(message, {}, '/webhooks/nobody');
    expect(seen.map(({ endpoint, outcome, status }) => `${endpoint} ${outcome} ${status}`)).toEqual([
      'open accepted 200',
      'open duplicate 200',
      'open quarantined 200',
      'open undefined 429',
      'token undefined 401',
      'open undefined 413',
      'nobody undefined 401',
    ]);
    for (const { ms } of seen) expect(ms).toBeGreaterThan(0);
  });

  it('is stored with its bytes, its endpoint and its event', async () => {
    const { post, store } = await openWebhook();
    await post(message);
    const row = await store.db.selectFrom('inbox').selectAll().executeTakeFirstOrThrow();
    expect(Buffer.from(row.body).toString()).toBe(message);
    expect(row).toMatchObject({ event_id: '9104:1', endpoint: 'open', tenant: '9104', subject_key: 'order:9104:7' });
  });

  it('is verified over its raw bytes', async () => {
    const server = await startKeyServer();
    const { post } = await openWebhook({ endpoints: endpointsWith(server.pinnedVerifier()) });
    const spaced = ` ${message}\r\n`;
    expect((await post(spaced, { signature: server.sign(spaced) })).statusCode).toBe(200);
    expect((await post(spaced, { signature: server.sign(message) })).statusCode).toBe(401);
  });
});

describe("a tenant's endpoint", () => {
  const nameless = JSON.stringify({ eventType: 'OrderCreate', data: { OrderId: '7' } });

  it('accepts deliveries that name its tenant, and those that name none', async () => {
    const { post, store } = await openWebhook();
    await post(message, {}, '/webhooks/9104');
    await post(nameless, {}, '/webhooks/9104');
    const rows = await store.db.selectFrom('inbox').select(['endpoint', 'subject_key']).execute();
    const row = { endpoint: '9104', subject_key: 'order:9104:7' };
    expect(rows).toEqual([row, row]);
  });

  it('quarantines a delivery that names another tenant', async () => {
    const { post, store } = await openWebhook();
    expect((await post(message, {}, '/webhooks/7001')).statusCode).toBe(200);
    expect(store.inbox.waiting()).toBe(0);
    expect(await createSummary(store).quarantined()).toEqual([
      { reason: 'names tenant 9104 at the endpoint of 7001', count: 1 },
    ]);
  });

  it('shares no duplicates with other endpoints', async () => {
    const { post, store, inbox } = await openWebhook();
    for (const endpoint of ['7001', '9104']) {
      await post(message, {}, `/webhooks/${endpoint}`);
      await post(nameless, {}, `/webhooks/${endpoint}`);
    }
    expect(inbox.counts()).toEqual({ accepted: 3, duplicates: 0, quarantined: 1 });
    const rows = store.db.selectFrom('inbox').select('event').where('subject_key', '=', 'order:7001:7');
    const { event } = await rows.executeTakeFirstOrThrow();
    expect(JSON.parse(event ?? '')).toMatchObject({ id: expect.stringMatching(/^7001:sha256:/), tenant: '7001' });
  });
});

describe('the webhook', () => {
  it('refuses a delivery that shows no credentials before its body has come', async () => {
    const { app } = await openWebhook();
    const payload = new Readable({ read() {} });
    onTestFinished(() => void payload.destroy());
    expect((await app.inject({ method: 'POST', url: '/webhooks/token', payload })).statusCode).toBe(401);
  });

  it('refuses a delivery that it cannot verify with 503 and Retry-After', async () => {
    const { post } = await openWebhook({
      endpoints: endpointsWith(rsaSha256.createVerifier(lookedUp, { baseUrl: 'http://127.0.0.1:1', logger: silent })),
    });
    const answer = await post(message, { signature: 'YQ==' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  it.each(['nobody', '__proto__', 'constructor'])(
    'answers %s, which does not exist, as an endpoint that does',
    async (name) => {
      const { post, inbox } = await openWebhook();
      const known = await post(message, {}, '/webhooks/token');
      expect(known.headers['www-authenticate']).toEqual(expect.any(String));
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${TOKEN}` }]) {
        const unknown = await post(message, headers, `/webhooks/${name}`);
        expect([unknown.statusCode, unknown.body]).toEqual([401, known.body]);
        expect(unknown.headers['www-authenticate']).toBe(known.headers['www-authenticate']);
      }
      expect(inbox.counts().accepted).toBe(0);
    },
  );

  it.each(['/webhooks/%zz', '/', `/webhooks/${'x'.repeat(5000)}`])(
    'answers the path %j with 404 before it reads the body',
    async (url) => {
      const { post } = await openWebhook();
      const answer = await post('x'.repeat(5000), {}, url);
      expect(answer.json()).toEqual(problem(404, 'Not Found'));
      expect(answer.statusCode).toBe(404);
    },
  );

  it('limits the rate of each endpoint with 429 and Retry-After', async () => {
    const { post } = await openWebhook({ requestsPerMinute: 2 });
    const url = `/webhooks/token?token=${TOKEN}`;
    const answers = [await post(message), await post(message), await post(message), await post(message, {}, url)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429, 200]);
    expect(answers[2]?.json()).toEqual(problem(429, 'Too Many Requests'));
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('spends the rate of an endpoint on authentic deliveries only', async () => {
    const { post } = await openWebhook({ requestsPerMinute: 2 });
    const url = `/webhooks/token?token=${TOKEN}`;
    for (let count = 0; count < 20; count += 1) await post('', {}, '/webhooks/token');
    const answers = [await post(message, {}, url), await post(message, {}, url), await post(message, {}, url)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
  });

  it('refuses a peer whose deliveries fail too often with 429, and no other', async () => {
    const { app, lines } = await openWebhook({ failuresPerMinute: 3 });
    const send = (remoteAddress: string, query = '') =>
      app.inject({ method: 'POST', url: `/webhooks/token${query}`, payload: message, remoteAddress });
    const failed = [];
    for (let count = 0; count < 5; count += 1) failed.push(await send('192.0.2.1'));
    expect(failed.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 429, 429]);
    expect(failed[3]?.json()).toEqual(problem(429, 'Too Many Requests'));
    expect(Number(failed[3]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send('192.0.2.2', `?token=${TOKEN}`)).statusCode).toBe(200);
    expect(lines).toEqual([expect.stringMatching(/192\.0\.2\.1.*too many deliveries of a peer failed/)]);
  });

  it('counts a forged body by its length', async () => {
    const server = await startKeyServer();
    const endpoints = endpointsWith(server.pinnedVerifier());
    const { app } = await openWebhook({ endpoints, bodyLimit: 4_194_304, failuresPerMinute: 100 });
    const send = async (payload: string, headers = {}) =>
      (await app.inject({ method: 'POST', url: '/webhooks/open', payload, headers, remoteAddress: '192.0.2.1' }))
        .statusCode;
    const signature = Buffer.alloc(256, 1).toString('base64');
    const small = async () => {
      const statuses = [];
      for (let count = 0; count < 8; count += 1) statuses.push(await send('{}', { signature }));
      return statuses;
    };
    expect(await small()).not.toContain(429);
    expect(await send(' '.repeat(2_000_000), { signature })).toBe(401);
    // A few with credentials may pass all the same.
    expect(await small()).toContain(429);
  });

  it('accepts the first authentic delivery of a peer that is refused, which ends its refusal', async () => {
    const { app } = await openWebhook({ failuresPerMinute: 3 });
    const send = async (token: string) => {
      const url = `/webhooks/token?token=${token}`;
      return (await app.inject({ method: 'POST', url, payload: message, remoteAddress: '192.0.2.1' })).statusCode;
    };
    for (let count = 0; count < 30; count += 1) await send('wrong');
    expect([await send('wrong'), await send(TOKEN)]).toEqual([429, 200]);
    expect(await send('wrong')).toBe(401);
  });

  it('never refuses a peer with authentic deliveries for those that fail', async () => {
    const { post } = await openWebhook({ failuresPerMinute: 3 });
    const url = `/webhooks/token?token=${TOKEN}`;
    await post(message, {}, url);
    for (let count = 0; count < 5; count += 1)
      expect((await post(message, {}, '/webhooks/token')).statusCode).toBe(401);
    expect((await post(message, {}, url)).statusCode).toBe(200);
  });

  it.each([
    [['10.0.0.0/8'], '198.51.100.7, 203.0.113.9', [401, 429, 401]],
    [['10.0.0.0/8'], '203.0.113.9, 10.0.0.2', [401, 429, 401]],
    [['10.0.0.0/8'], '203.0.113.9:40001, "10.0.0.2:443"', [401, 429, 401]],
    [['10.0.0.2'], '203.0.113.9', [401, 429, 429]],
    [[], '203.0.113.9', [401, 429, 429]],
  ])('behind the proxies %j finds a peer in x-forwarded-for: %s', async (trustedProxies, forwarded, expected) => {
    const { app } = await openWebhook({ failuresPerMinute: 1, trustedProxies });
    const send = (from: string) =>
      app.inject({
        method: 'POST',
        url: '/webhooks/token',
        payload: message,
        remoteAddress: '10.0.0.1',
        headers: { 'x-forwarded-for': from },
      });
    const answers = [
      await send(forwarded),
      await send(forwarded),
      await send(forwarded.replace('203.0.113.9', '203.0.113.10')),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(expected);
  });

  it('answers 503 and Retry-After while the inbox is full', async () => {
    const { post } = await openWebhook({ limit: 0 });
    const answer = await post(message);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.json()).toEqual(problem(503, 'Service Unavailable'));
  });

  it('answers 503 while the disk is full, and accepts deliveries afterwards', async () => {
    const { post, store } = await openWebhook({ bodyLimit: 1_000_000 });
    const release = await fillDisk(store);
    // Beyond what gzip could make of it.
    const large = message + randomBytes(100_000).toString('hex');
    expect((await post(large)).statusCode).toBe(503);
    await release();
    expect((await post(large)).statusCode).toBe(200);
  });

  it('answers 503 once the inbox is closed', async () => {
    const { post, inbox } = await openWebhook();
    await inbox.close();
    expect((await post(message)).statusCode).toBe(503);
  });

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('answers %s with 405', async (method) => {
    const { app, inbox } = await openWebhook();
    const answer = await app.inject({ method, url: `/webhooks/open?token=${TOKEN}` });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
    expect(inbox.counts().accepted).toBe(0);
    expect((await app.inject({ method, url: '/webhooks/nobody' })).statusCode).toBe(405);
  });
});

describe('health', () => {
  it('is live and ready after the start', async () => {
    const { app } = await openWebhook();
    expect((await app.inject('/health/live')).json()).toEqual({ status: 'live' });
    expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ready' });
  });

  it('is live but not ready once the inbox is closed', async () => {
    const { app, inbox } = await openWebhook();
    await inbox.close();
    const answer = await app.inject('/health/ready');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
    expect((await app.inject('/health/live')).statusCode).toBe(200);
  });
});
