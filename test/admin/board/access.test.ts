import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { ownAddress } from '../../../src/admin/board/addresses.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';

const token = 'a-token-of-this-very-test';

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

/** Sends what a browser would, which fetch does not allow. */
async function send(url: string, { method = 'GET', headers = {}, form }: Sent = {}) {
  const {
    statusCode,
    headers: answered,
    body,
  } = await request(url, {
    method,
    headers: { ...(form && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  const { location = '', 'set-cookie': cookie = '' } = answered;
  return { status: statusCode, location: String(location), cookie: String(cookie), text: await body.text() };
}

const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** Some pages, one of which does not exist, and an action; the matrix of access has all. */
const pages = ['', '/subjects', '/search?q=1', '/no-such-page'];
const action = '/subjects/9104/order/1/refresh';

describe('with a token', () => {
  const open = async () => {
    const store = await openTemporaryStore();
    const [{ url, logged }, other] = await Promise.all([openAdmin({ store, token }), openAdmin({ store, token })]);
    return { board: `${url}/board`, other: `${other.url}/board`, logged };
  };

  it('a POST leads to the door, and from there to the page of its form', async () => {
    const { board } = await open();
    const headers = { ...own, referer: `${board}/quarantine?reason=x` };
    expect(await send(`${board}${action}`, { method: 'POST', headers })).toMatchObject({
      status: 303,
      location: '/board/sign-in?to=%2Fboard%2Fquarantine%3Freason%3Dx',
    });
  });

  it('the bearer token does not open the board, nor a session the API', async () => {
    const { board } = await open();
    expect(await send(board, { headers: { authorization: `Bearer ${token}` } })).toMatchObject({ status: 303 });
    const { cookie } = await send(`${board}/sign-in`, { method: 'POST', headers: own, form: { token } });
    expect(await send(board.replace('/board', '/status'), { headers: { cookie } })).toMatchObject({ status: 401 });
  });

  it('a reader signs in, comes to the page that was asked for, and signs out', async () => {
    const { board, other, logged } = await open();
    const door = await send(`${board}/sign-in?to=${encodeURIComponent('/board/subjects?stage=picked')}`);
    expect(door).toMatchObject({ status: 200, text: expect.stringContaining('value="/board/subjects?stage=picked"') });
    const form = { token: ` ${token} `, to: '/board/subjects?stage=picked' };
    const opened = await send(`${board}/sign-in`, { method: 'POST', headers: own, form });
    expect(opened).toMatchObject({ status: 303, location: '/board/subjects?stage=picked' });
    expect(opened.cookie).toMatch(/; Path=\/board; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    const [cookie = ''] = opened.cookie.split(';');
    for (const path of pages.slice(0, 3)) {
      expect(await send(`${board}${path}`, { headers: { cookie } })).toMatchObject({ status: 200 });
    }
    const closed = await send(`${board}/sign-out`, { method: 'POST', headers: { ...own, cookie } });
    expect(closed).toMatchObject({ status: 303, cookie: expect.stringContaining('Max-Age=0') });
    for (const process of [board, other])
      expect(await send(`${process}/subjects`, { headers: { cookie } })).toMatchObject({ status: 303 });
    expect(await send(`${other}/sign-in`, { headers: { cookie } })).toMatchObject({ status: 200 });
    expect(`${cookie}${logged.join('')}`).not.toContain(token);
  });

  it('the cookie is for https only where the reader came by https', async () => {
    const { board } = await open();
    const headers = { ...own, origin: 'https://board.test' };
    expect((await send(`${board}/sign-in`, { method: 'POST', headers, form: { token } })).cookie).toMatch(/; Secure$/);
  });

  it('a wrong token is refused, and after ten of them every token for a minute', async () => {
    const { board } = await open();
    const signIn = (form: Sent['form'] & object) => send(`${board}/sign-in`, { method: 'POST', headers: own, form });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await signIn({ token: `${token}x` })).toMatchObject({ status: 401, cookie: '' });
    }
    expect(await signIn({ token })).toMatchObject({ status: 429, cookie: '' });
  });

  it('a sign-in with anything but texts is refused as one with a wrong token', async () => {
    const { board, logged } = await open();
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    for (const body of ['null', '{"token":5,"to":6}', '[]']) {
      expect((await fetch(`${board}/sign-in`, { method: 'POST', headers, body })).status).toBe(401);
    }
    expect(logged.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  });

  it('a link of another site is followed again, since browsers leave the session out', async () => {
    const { board } = await open();
    const headers = { ...own, 'sec-fetch-site': 'cross-site' };
    const { status, text } = await send(`${board}/subjects?stage=picked`, { headers });
    expect(status).toBe(200);
    expect(text).toContain('<meta http-equiv="refresh" content="0; url=/board/subjects?stage=picked">');
  });

  it('an update without a session is refused, so that the page asks to sign in', async () => {
    const { board } = await open();
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    expect(await send(`${board}/subjects`, { headers })).toMatchObject({ status: 401 });
  });
});

describe('without a token', () => {
  const open = async () => `${(await openAdmin({ store: await openTemporaryStore() })).url}/board`;

  it('a reader on this machine is admitted, on localhost only', async () => {
    const board = await open();
    expect(await send(board, { headers: { ...own, 'sec-fetch-site': 'none' } })).toMatchObject({ status: 200 });
    expect(await send(board, { headers: { host: 'attacker.example' } })).toMatchObject({ status: 403 });
  });

  it('there is nothing to sign in to', async () => {
    expect(await send(`${await open()}/sign-in`)).toMatchObject({ status: 404 });
  });
});

describe('a page of another site', () => {
  const untrusted: readonly Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://attacker.example' },
    { origin: 'null' },
    {},
  ];

  it('cannot POST', async () => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    for (const headers of untrusted)
      expect({ headers, ...(await send(`${url}/board${action}`, { method: 'POST', headers })) }).toMatchObject({
        headers,
        status: 403,
      });
  });

  it('can link to the board and not read it', async () => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    const from = { 'sec-fetch-site': 'cross-site' };
    expect(await send(`${url}/board`, { headers: { ...from, 'sec-fetch-mode': 'navigate' } })).toMatchObject({
      status: 200,
    });
    expect(await send(`${url}/board`, { headers: { ...from, 'sec-fetch-mode': 'no-cors' } })).toMatchObject({
      status: 403,
    });
  });

  it('can POST where the browser tells only its origin and that is the address', async () => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    expect(await send(`${url}/board${action}`, { method: 'POST', headers: { origin: url } })).toMatchObject({
      status: 404,
    });
  });
});

it.each([
  '//attacker.example/board',
  'https://attacker.example/board',
  '/\\attacker.example',
  '/status',
  '/boards',
  'javascript:1',
  undefined,
])('a sign-in does not lead to %s', (asked) => expect(ownAddress(asked)).toBe('/board'));
