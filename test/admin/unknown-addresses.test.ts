import { request } from 'undici';
import { expect, it } from 'vitest';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

const token = 'a-token-of-this-very-test';

async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, headers = { authorization: `Bearer ${token}` }) {
  const { url } = await openAdmin({ store: await openTemporaryStore(), token });
  const { statusCode, headers: answered, body } = await request(url + path, { method, headers });
  return { status: statusCode, type: answered['content-type'], body: await body.json() };
}

it.each([
  ['POST', '/status?x=1'],
  ['GET', '/subjects/9104/order/31/refresh'],
  ['DELETE', '/announcements/order%3A9104%3A31%2F1%2Fcreated'],
] as const)('%s %s is no address for this method', async (method, path) => {
  const detail = `There is no such address for ${method}.`;
  expect(await ask(method, path)).toMatchObject({
    status: 404,
    type: expect.stringMatching(/^application\/problem\+json/),
    body: { detail },
  });
});

it.each(['/nothing', '/subjects/9104/order/31/nothing', '//', '/%00'])('GET %s is an unknown address', async (path) => {
  expect(await ask('GET', path)).toMatchObject({ status: 404 });
});

it('nobody without a token learns of addresses', async () => {
  expect(await ask('POST', '/status', { authorization: '' })).toMatchObject({ status: 401 });
});
