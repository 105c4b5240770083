import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

const token = 'a-token-of-this-very-test';

/** The status of a request whose Host is not what it connects to, which fetch does not allow. */
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/quarantine`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
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

describe('without a token', () => {
  it.each(['127.0.0.1:3001', 'localhost', '[::1]:3001'])('a program that calls it %s is admitted', async (host) => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    expect(await statusOf(url, { host })).toBe(200);
  });

  it.each<Record<string, string>>([
    { host: 'attacker.example' },
    { host: '192.168.1.1' },
    { host: 'localhost', origin: 'https://attacker.example' },
    { host: 'localhost', origin: 'null' },
  ])('a page that sends %j is not', async (headers) => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    expect(await statusOf(url, headers)).toBe(403);
  });
});
