import { describe, expect, it } from 'vitest';
import { openAdmin } from '../../admin/open-admin.ts';
import { message, openWebhook, TOKEN } from '../../ingress/open-webhook.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { proxies, startProxy } from './running-proxy.ts';

const LIMIT = 4_194_304;
const token = 'a-token-of-this-very-test';
const recordsToken = 'a-token-of-a-receiver';

describe.each(proxies)('$name', ({ isInstalled, ...proxy }) => {
  /** Runs the proxy before the servers of a Dockline. */
  async function open() {
    const { app, store } = await openWebhook({
      trustedProxies: ['127.0.0.1'],
      failuresPerMinute: 3,
      bodyLimit: LIMIT,
    });
    const webhook = await app.listen({ host: '127.0.0.1', port: 0 });
    const env = { ANNOUNCE_RECORDS_TOKEN: recordsToken, ADMIN_TRUSTED_PROXIES: '127.0.0.1' };
    const admin = await openAdmin({ store: await openTemporaryStore(), token, env });
    return { ask: await startProxy(proxy, { webhook, board: admin.url }), store };
  }

  it.runIf(isInstalled)('leads senders to the webhook, and names them to it whatever they claim', async () => {
    const { ask, store } = await open();
    const send = (from: string, headers: Readonly<Record<string, string>> = {}, payload: string | Buffer = message) =>
      ask('https://hooks.example.com/webhooks/token', { method: 'POST', from, payload, headers });
    const good = { authorization: `Bearer ${TOKEN}` };
    expect(await send('127.0.0.2', good)).toMatchObject({ status: 200 });
    expect(store.inbox.waiting()).toBe(1);

    const forged = [];
    for (let count = 0; count < 4; count++) forged.push(await send('127.0.0.3', { 'x-forwarded-for': '127.0.0.4' }));
    expect(forged.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(await send('127.0.0.4')).toMatchObject({ status: 401 });

    expect(await send('127.0.0.2', good, Buffer.alloc(LIMIT, ' '))).toMatchObject({ status: 200 });
    const tooLarge = await send('127.0.0.2', good, Buffer.alloc(LIMIT + 1, ' ')).then(
      ({ status }) => status,
      ({ code }) => code,
    );
    // Caddy may still be sending when the answer comes, and so may we.
    expect(tooLarge).toBeOneOf(proxy.name === 'caddy' ? [413, 502, 'ECONNRESET', 'EPIPE'] : [413]);
  });

  it.runIf(isInstalled)('leads receivers to records with their own token', async () => {
    const { ask } = await open();
    const record = 'https://hooks.example.com/records/order:9104:31/1/created/order';
    expect(await ask(record)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    const known = { authorization: `Bearer ${recordsToken}` };
    expect(await ask(record, { headers: known })).toMatchObject({
      status: 404,
      body: expect.stringContaining('yours'),
    });
    expect(await ask(record.replace('hooks', 'board'), { headers: known })).toMatchObject({
      status: 404,
      body: expect.not.stringContaining('yours'),
    });
    const around = 'https://hooks.example.com/records/../status';
    expect(await ask(around, { headers: { authorization: `Bearer ${token}` } })).toMatchObject({ status: 404 });
  });

  it.runIf(isInstalled)('names receivers to Dockline, so that wrong tokens of one lock out no other', async () => {
    const { ask } = await open();
    const record = 'https://hooks.example.com/records/order:9104:31/1/created/order';
    const show = async (shown: string, from: string) =>
      (await ask(record, { from, headers: { authorization: `Bearer ${shown}`, 'x-forwarded-for': '127.0.0.2' } }))
        .status;
    for (let count = 0; count < 10; count += 1) expect(await show(`wrong-${count}`, '127.0.0.3')).toBe(401);
    expect(await show(recordsToken, '127.0.0.3')).toBe(429);
    expect(await show(recordsToken, '127.0.0.2')).toBe(404);
  });

  it.runIf(isInstalled)('serves the webhook and the board under names of their own, and nothing else', async () => {
    const { ask } = await open();
    const refused = [
      ...['board', 'board/sign-in', 'status', 'health/ready', 'metrics'].map((path) => `hooks.example.com/${path}`),
      ...['webhooks/open', 'status', 'subjects', 'openapi.json', 'boards'].map((path) => `board.example.com/${path}`),
    ];
    for (const url of refused) expect({ url, ...(await ask(`https://${url}`)) }).toMatchObject({ url, status: 404 });

    const board = 'https://board.example.com';
    const headers = { origin: board, 'content-type': 'application/x-www-form-urlencoded' };
    const signedIn = await ask(`${board}/board/sign-in`, { method: 'POST', payload: `token=${token}`, headers });
    expect(signedIn).toMatchObject({ status: 303, headers: { location: '/board' } });
    const [session = ''] = signedIn.headers['set-cookie'] ?? [];
    expect(session).toContain('; Secure');
    const cookie = session.split(';')[0] ?? '';
    expect(await ask(`${board}/board`, { headers: { cookie } })).toMatchObject({ status: 200 });
  });
});
