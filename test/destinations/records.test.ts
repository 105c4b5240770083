import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { createAnnouncement } from '../../src/destinations/announcements/cloud-event.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { createPurge } from '../../src/store/retention.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { describeOnEither, describeOnPostgres, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { order } from '../support/make.ts';
import { packed } from './announcements/announcements.ts';

const recorded = '{"total":12345678901234567890.10,"notes":"Gr\u00fc\u00dfe \\u0041","lines":[1, 2]}';

const OWN = 'the-token-of-the-default';
const OTHER = 'the-token-of-somebody-else';
const OPERATOR = 'the-token-of-an-operator';

/** Records an announcement with an order for some destinations; returns its id. */
async function announce(store: Store, names: readonly string[], subject: SubjectRef = order): Promise<string> {
  const identify = async (name: string) =>
    (await store.destinations.find({ tenant: subject.tenant, name }))?.id ?? name;
  const destinations = await Promise.all(names.map(identify));
  const input = { ...packed, subject, resources: { order: recorded }, missing: ['user'] as const };
  const { id, body } = createAnnouncement({ ...input, resourceFrom: 'warehouse' });
  await recordAs(store, subject, { announcements: [{ id, revision: 3, body, summary: 'packed', destinations }] });
  return id;
}

const other = { url: 'https://other.test', detail: 'thin' };

/** Opens the API of a default destination with a token, and of one that was added. */
async function open(store: Store) {
  const env = { ANNOUNCE_RECORDS_TOKEN: `${OWN},${OWN}-before` };
  const { url, post, ...admin } = await openAdmin({ store, env });
  expect(await post('/destinations/9104/other/add', { ...other, recordsToken: OTHER })).toMatchObject({ status: 201 });
  const ask = (path: string, token?: string, headers = {}) =>
    fetch(url + path, { headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } });
  const status = async (path: string, token?: string) => (await ask(path, token)).status;
  return { ...admin, url, post, ask, status };
}

describeOnEither('a record that was left out', (database) => {
  it('is what was recorded, byte by byte, for whoever has the token of a destination that got it', async () => {
    const store = await openIn(database);
    const { ask, get, status } = await open(store);
    const id = await announce(store, ['default', 'other']);
    await store.resources.put('9104', 'order', order.id, '{"newer":true}');
    for (const token of [OWN, `${OWN}-before`, OTHER, OTHER]) {
      const response = await ask(`/records/${id}/order`, token);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.text()).toBe(recorded);
    }
    expect(await status(`/records/${encodeURIComponent(id)}/order`, OWN)).toBe(200);
    expect(await get(`/records/${id}/order`, { authorization: `Bearer ${OWN}` })).toMatchObject({ status: 200 });
  });

  it('is nothing that anybody else gets to know of', async () => {
    const store = await openIn(database);
    const id = await announce(store, ['default']);
    const elsewhere = await announce(store, ['default'], { ...order, tenant: '7001' });
    const { ask, status } = await open(store);
    const unknown = id.replace(':1/', ':2/');
    const said = await Promise.all(
      [id, elsewhere, unknown].map(async (one) => await (await ask(`/records/${one}/order`, OTHER)).text()),
    );
    expect(new Set(said).size).toBe(1);
    expect(JSON.parse(said[0] ?? '')).toMatchObject({ status: 404, detail: 'There is no such announcement of yours.' });
    expect(await status(`/records/${elsewhere}/order`, OWN)).toBe(404);
    for (const token of [undefined, 'a-token-of-nobody', OWN.slice(1), OPERATOR])
      expect(await status(`/records/${id}/order`, token)).toBe(401);
    const { headers } = await ask(`/records/${id}/order`);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is a record that the announcement has, and no other member', async () => {
    const store = await openIn(database);
    const id = await announce(store, ['default']);
    const { status } = await open(store);
    for (const member of ['user', 'customer', 'receipt', 'snapshot', 'id', '__proto__', 'x'.repeat(299)])
      expect([member, await status(`/records/${id}/${member}`, OWN)]).toEqual([member, 404]);
    expect(await status(`/records/${id}/%00`, OWN)).toBe(400);
    expect(await status(`/records/${id}/%ff`, OWN)).toBe(400);
    expect(await status(`/records/${'9'.repeat(2000)}/3/packed/order`, OWN)).toBeGreaterThanOrEqual(400);
    expect(await status(`/records/${"order:9104:' or 1=1 --"}/3/packed/order`, OWN)).toBe(404);
  });

  it('is gone once its announcement is no longer kept, and that is said to its receiver alone', async () => {
    const store = await openIn(database, { now: () => 1000 });
    const id = await announce(store, ['default']);
    await store.outbox.sent({ id, destination: 'default' }, { status: 204, ms: 1, leftOut: ['order'] });
    await createPurge({ ...store, shrink: () => {} })('announcements', 2000, 10);
    const { ask, status } = await open(store);
    const response = await ask(`/records/${id}/order`, OWN);
    expect(response.status).toBe(410);
    expect(await response.json()).toMatchObject({
      detail: 'The announcement is no longer kept: its retention is over.',
    });
    expect(await status(`/records/${id}/order`, OTHER)).toBe(404);
  });

  it('is had with a new token as well as with the one before, until that is taken away', async () => {
    const store = await openIn(database);
    const { post, status } = await open(store);
    const id = await announce(store, ['other']);
    const next = 'a-new-token-of-the-other';
    const give = (recordsToken: readonly string[]) =>
      post('/destinations/9104/other/change', { ...other, recordsToken });
    await give([next, OTHER]);
    // A change takes effect within a second.
    await expect.poll(() => status(`/records/${id}/order`, next)).toBe(200);
    expect(await status(`/records/${id}/order`, OTHER)).toBe(200);
    await give([next]);
    await expect.poll(() => status(`/records/${id}/order`, OTHER)).toBe(401);
    expect(await status(`/records/${id}/order`, next)).toBe(200);
  });

  it('is refused to an address that has shown many wrong tokens, which locks out no operator', async () => {
    const store = await openIn(database);
    const id = await announce(store, ['default']);
    const { url } = await openAdmin({ store, token: OPERATOR, env: { ANNOUNCE_RECORDS_TOKEN: OWN } });
    const ask = async (path: string, token: string) =>
      (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask(`/records/${id}/order`, OPERATOR)).toBe(401);
    expect(await ask('/status', OWN)).toBe(401);
    for (let count = 0; count < 10; count += 1) await ask(`/records/${id}/order`, `wrong-${count}`);
    expect(await ask(`/records/${id}/order`, OWN)).toBe(429);
    expect(await ask('/destinations', OPERATOR)).toBe(200);
  });
});

describeOnPostgres('a record that was left out', (database) => {
  it('is answered 503 while the store does not answer', async () => {
    const store = await openIn(database, { location: await database.locate() });
    const id = await announce(store, ['default']);
    const { status } = await open(store);
    const session = new pg.Client({ connectionString: database.direct });
    await session.connect();
    onTestFinished(() => session.end());
    await session.query('begin; lock table outbox in access exclusive mode');
    expect(await status(`/records/${id}/order`, OWN)).toBe(503);
    await session.query('rollback');
    expect(await status(`/records/${id}/order`, OWN)).toBe(200);
  });
});
