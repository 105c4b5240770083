import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

const token = 'a-token-of-this-very-test';

/** Returns the status of a request whose Host is not what it connects to, which fetch does not allow. */
async function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { statusCode, body } = await request(`${url}/quarantine`, { headers });
  await body.dump();
  return statusCode;
}

describe('with a token', () => {
  it('requests that carry it are admitted, from any address', async () => {
    const { url } = await openAdmin({ store: await openTemporaryStore(), token });
    const authorization = `Bearer ${token}`;
    expect(await statusOf(url, { authorization })).toBe(200);
    expect(await statusOf(url, { authorization, host: 'dockline.example', origin: 'https://dockline.example' })).toBe(
      200,
    );
  });

  it.each([undefined, '', 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token])(
    '"%s" is not admitted to any address',
    async (authorization) => {
      const { get, logged } = await openAdmin({ store: await openTemporaryStore(), token });
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      for (const path of ['/status', '/subjects', '/no-such-thing']) {
        const answer = await get(path, headers);
        expect(answer).toMatchObject({ status: 401, type: 'application/problem+json' });
        expect(answer.body).toEqual({
          type: 'about:blank',
          title: 'Unauthorized',
          status: 401,
          detail: 'The bearer token is missing or wrong.',
        });
      }
      expect(logged.join('')).not.toContain(token);
    },
  );
});

it('a token without the role of a call is refused with the role that it lacks', async () => {
  const tokens = [{ name: 'support', roles: ['read'] as const, token }];
  const { call } = await openAdmin({ store: await openTemporaryStore(), tokens });
  const headers = { authorization: `Bearer ${token}` };
  expect(await call('/bulk/1/confirm', { method: 'POST', headers })).toEqual({
    status: 403,
    type: 'application/problem+json',
    body: {
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'The token "support" does not have the role "act".',
    },
  });
});

describe('a peer that shows wrong tokens', () => {
  const wrong = { authorization: `Bearer ${token}x` };
  const right = { authorization: `Bearer ${token}` };

  it('is refused for a minute after ten of them, and told how long', async () => {
    const { get } = await openAdmin({ store: await openTemporaryStore(), token });
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await get('/status', wrong)).status).toBe(401);
    const { status, body } = await get('/status', right);
    expect([status, body.detail]).toEqual([429, 'Too many wrong tokens. Try again in a minute.']);
  });

  it('is not refused for requests without one', async () => {
    const { get } = await openAdmin({ store: await openTemporaryStore(), token });
    for (let attempt = 0; attempt < 11; attempt += 1) expect((await get('/status')).status).toBe(401);
    expect((await get('/status', right)).status).toBe(200);
  });

  it('does not shut out who signed in from its address', async () => {
    const { get } = await openAdmin({ store: await openTemporaryStore(), token });
    expect((await get('/status', right)).status).toBe(200);
    for (let attempt = 0; attempt < 11; attempt += 1) expect((await get('/status', wrong)).status).toBe(401);
    expect((await get('/status', right)).status).toBe(200);
  });
});

describe('without a token', () => {
  it('a program that calls it by a name of this machine is admitted', async () => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    for (const host of ['127.0.0.1:3001', 'localhost', '[::1]:3001'])
      expect([host, await statusOf(url, { host })]).toEqual([host, 200]);
  });

  it('a page of another site is not, nor one under another name', async () => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    const headers: readonly Readonly<Record<string, string>>[] = [
      { host: 'attacker.example' },
      { host: '192.168.1.1' },
      { host: '127.0.0.1:80@evil.test' },
      { host: 'localhost:80:80' },
      { host: '127.0.0.1.' },
      { host: 'localhost', origin: 'https://attacker.example' },
      { host: 'localhost', origin: 'null' },
    ];
    for (const each of headers) expect([each, await statusOf(url, each)]).toEqual([each, 403]);
  });
});
