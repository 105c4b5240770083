import { request } from 'undici';
import { expect, it } from 'vitest';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

const token = 'a-token-of-this-very-test';

async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, headers = { authorization: `Bearer ${token}` }) {
  const { url } = await openAdmin({ store: await openTemporaryStore(), token });
  const { statusCode, headers: answered, body } = await request(url + path, { method, headers });
  return { status: statusCode, allow: answered.allow, type: answered['content-type'], body: await body.json() };
}

it.each([
  ['POST', '/status?x=1', 'GET, HEAD'],
  ['GET', '/subjects/9104/order/31/refresh', 'POST'],
  ['DELETE', '/announcements/order%3A9104%3A31%2F1%2Fcreated', 'GET, HEAD'],
  ['DELETE', '/bulk', 'GET, HEAD, POST'],
] as const)('%s %s is answered with the methods of the address', async (method, path, allow) => {
  expect(await ask(method, path)).toMatchObject({
    status: 405,
    allow,
    type: expect.stringMatching(/^application\/problem\+json/),
    body: { title: 'Method Not Allowed', detail: `${method} is not a method of this address, which takes ${allow}.` },
  });
});

it.each(['/nothing', '/subjects/9104/order/31/nothing', '//', '/%00'])('GET %s is an unknown address', async (path) => {
  expect(await ask('GET', path)).toMatchObject({ status: 404, allow: undefined });
});

it('nobody without a token learns of methods', async () => {
  expect(await ask('POST', '/status', { authorization: '' })).toMatchObject({ status: 401, allow: undefined });
});
