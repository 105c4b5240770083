import { request } from 'undici';
import { expect, it } from 'vitest';
import { createSessions } from '../../../src/admin/board/session.ts';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';

const live = ['/board', '/board/subjects', '/board/subjects/9104/order/1', '/board/search?q=9104'];
const lists = ['/board/quarantine', '/board/dead-letters', '/board/announcements', '/board/audit'];

async function get(address: string, version?: string, more: Readonly<Record<string, string>> = {}) {
  const headers = { 'accept-encoding': 'gzip', ...(version !== undefined && { 'if-none-match': version }), ...more };
  const { statusCode, headers: answered, body } = await request(address, { headers });
  return { status: statusCode, version: String(answered.etag), bytes: (await body.bytes()).length };
}

async function serve() {
  const store = await openTemporaryStore();
  await record(store, 'order:9104:1');
  return { store, ...(await openAdmin({ store })) };
}

it.each([...live, ...lists])('%s is not sent to a reader who shows it', async (path) => {
  const { url } = await serve();
  const first = await get(url + path);
  expect(first).toMatchObject({ status: 200, version: expect.stringMatching(/^W\/"[\w-]{43}"$/) });
  expect(await get(url + path, first.version)).toEqual({ status: 304, version: first.version, bytes: 0 });
});

it('another process, whose pages may look different, sends its own', async () => {
  const { store, url } = await serve();
  const { version } = await get(`${url}/board/subjects`);
  const other = await openAdmin({ store });
  expect((await get(`${other.url}/board/subjects`, version)).status).toBe(200);
});

it('readers with other roles have pages of their own', async () => {
  const store = await openTemporaryStore();
  await record(store, 'order:9104:1');
  const tokens = [
    { name: 'coordinator', roles: ['read', 'act'], token: 'a-token-of-a-coordinator-1234567' },
    { name: 'support', roles: ['read'], token: 'a-token-of-a-support-123456789012' },
  ] as const;
  const { url } = await openAdmin({ store, tokens });
  const versions = new Set();
  for (const token of tokens) {
    const cookie = `dockline-board=${createSessions(tokens).open(token)}`;
    const { status, version } = await get(`${url}/board/subjects`, undefined, { cookie });
    expect(status).toBe(200);
    versions.add(version);
  }
  expect(versions.size).toBe(2);
});
