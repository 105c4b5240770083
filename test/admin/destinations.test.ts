import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { describeOnEither, openIn } from '../store/databases.ts';
import { announcementOf, order, recordAs, toDefault } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { startRecordingServer } from '../warehouse/recording-server.ts';
import { openAdmin } from './open-admin.ts';

const alder = { url: 'https://me:hush@alder.test/in?key=private', customers: ['418'], types: ['order.*'] };

const path = '/destinations/9104/alder';

describeOnEither('destinations', (database) => {
  it('are listed, those of the configuration first known, with what waits for them', async () => {
    const store = await openIn(database, { now: () => 5_000 });
    await recordAs(store, order, { announcements: [announcementOf(1), announcementOf(2)] });
    await store.outbox.deadLetter(toDefault(announcementOf(1).id), 'answered 500');
    const { get } = await openAdmin({ store });
    const { body } = await get('/destinations');
    expect(body.items).toEqual([
      {
        tenant: '9104',
        name: 'default',
        origin: 'configured',
        address: 'https://merchant.test/hook',
        kinds: [],
        types: [],
        customers: [],
        mode: 'structured',
        detail: 'full',
        maxBytes: null,
        hasRecordsToken: false,
        state: 'active',
        since: null,
        because: null,
        unsent: 2,
        deadLetters: 1,
        replays: 0,
        oldestUnsentAt: '1970-01-01T00:00:05.000Z',
        successRate: null,
        p95Ms: null,
      },
    ]);
    expect((await get('/destinations/9104/default')).body).toMatchObject(body.items[0]);
    expect(await get('/destinations/9104/nobody')).toMatchObject({ status: 404 });
  });

  it('are listed by account and name, page by page, by filters and as a file', async () => {
    const store = await openIn(database);
    const { get, post, url } = await openAdmin({ store });
    for (const name of ['alder', 'birch', 'elm']) await post(`/destinations/9104/${name}/add`, alder);
    await post('/destinations/9104/birch/pause');
    const names = async (query: Readonly<Record<string, string>>) => {
      const { body } = await get(`/destinations?${new URLSearchParams(query)}`);
      return [body.items.map(({ name }: { readonly name: string }) => name), body.next];
    };
    expect(await names({})).toEqual([['alder', 'birch', 'default', 'elm'], null]);
    expect(await names({ limit: '3' })).toEqual([['alder', 'birch', 'default'], 'default.9104']);
    expect(await names({ limit: '3', after: 'default.9104' })).toEqual([['elm'], null]);
    expect(await names({ origin: 'configured' })).toEqual([['default'], null]);
    expect(await names({ state: 'paused' })).toEqual([['birch'], null]);
    expect(await names({ name: 'elm', tenant: '9104' })).toEqual([['elm'], null]);
    expect(await names({ tenant: '7001' })).toEqual([[], null]);
    expect((await get('/destinations?after=elm')).body.detail).toContain('must be the "next" of an earlier page');
    const page = await (await fetch(`${url}/board/destinations?state=paused`)).text();
    expect(page).toContain('<a href="/board/destinations.csv?state=paused">Download as CSV</a>');
    const file = await (await fetch(`${url}/board/destinations.csv?state=paused`)).text();
    expect(file).toMatch(/^tenant,name,origin,.*\r\n9104,birch,added,.*\r\n$/);
  });

  it('are added with a secret that is shown once, changed and removed', async () => {
    const store = await openIn(database);
    const { get, post } = await openAdmin({ store });
    const added = await post(`${path}/add`, alder);
    expect(added).toMatchObject({ status: 201, body: { name: 'alder', secret: expect.stringMatching(/^whsec_/) } });
    const shown = (await get(path)).body;
    expect(shown).toMatchObject({ origin: 'added', address: 'https://alder.test/in', customers: ['418'] });
    const rows = JSON.stringify(await store.db.selectFrom('destinations').selectAll().execute());
    for (const secret of ['hush', 'private', added.body.secret]) {
      expect(JSON.stringify([shown, (await get('/audit')).body])).not.toContain(secret);
      expect(rows).not.toContain(secret);
    }
    expect(await post(`${path}/add`, alder)).toMatchObject({ status: 409 });
    expect((await post(`${path}/change`, { ...alder, customers: ['419'] })).body).toEqual({
      name: 'alder',
      withdrawn: 0,
    });
    expect((await get(path)).body).toMatchObject({ customers: ['419'] });
    const { id: identity } = await store.db.selectFrom('destinations').select('id').executeTakeFirstOrThrow();
    await recordAs(store, order, { announcements: [{ ...announcementOf(1), destinations: [identity] }] });
    expect(await post(`${path}/remove`)).toMatchObject({
      status: 409,
      body: { detail: 'Not acknowledged: 1 announcement; remove them, too, with "unsent".' },
    });
    expect(await post(`${path}/remove`, { unsent: true })).toMatchObject({ status: 200, body: { unsent: 1 } });
    expect(await get(path)).toMatchObject({ status: 404 });
    expect(await store.subjects.unsent(order)).toEqual({});
    const { items } = (await get('/audit')).body;
    expect(items.map(({ action }: { readonly action: string }) => action)).toEqual([
      'remove',
      'remove',
      'change',
      'add',
    ]);
  });

  it('are refused with what is wrong about them', async () => {
    const { post } = await openAdmin({ store: await openIn(database) });
    const refused = async (given: object, at = path) => (await post(`${at}/add`, given)).body.detail;
    expect(await refused({ ...alder, url: 'http://alder.test' })).toContain('url: is plain http beyond loopback');
    expect(await refused({ ...alder, types: ['order.shipped'] })).toContain('types.0: names no type of announcements');
    expect(await refused({ ...alder, secret: 'short' })).toContain('secret: must be whsec_');
    expect(await refused({ ...alder, detail: 'bounded' })).toContain('maxBytes: is required with the detail bounded');
    expect(await refused({ ...alder, maxBytes: 5 })).toContain('maxBytes: is the limit of the detail bounded alone');
    expect(await refused({ ...alder, detail: 'none' })).toContain('detail must be one of full, bounded, thin');
    expect(await refused({ ...alder, recordsToken: 'short' })).toContain('recordsToken: must have at least 16');
    expect(await refused({ ...alder, clientCert: '/etc/passwd' })).toContain('clientCert');
    expect(await refused(alder, '/destinations/9104/Alder')).toContain('name: must be of small letters');
    expect(await refused(alder, '/destinations/7001/alder')).toBe('tenant: no warehouse 7001 is configured');
    expect(await post('/destinations/9104/default/change', alder)).toMatchObject({ status: 409 });
    expect(await post('/destinations/9104/nobody/pause')).toMatchObject({ status: 404 });
  });

  it('are refused with the token of another one for its records, configured or added', async () => {
    const own = 'the-token-of-the-configured-one';
    const store = await openIn(database);
    const { post } = await openAdmin({ store, env: { ANNOUNCE_RECORDS_TOKEN: own } });
    const thin = { ...alder, detail: 'thin', recordsToken: 'the-token-of-alder-alone' };
    expect(await post(`${path}/add`, thin)).toMatchObject({ status: 201 });
    expect(await post(`${path}/change`, thin)).toMatchObject({ status: 200 });
    for (const recordsToken of [own, thin.recordsToken])
      expect(await post('/destinations/9104/birch/add', { ...thin, recordsToken })).toMatchObject({
        status: 400,
        body: { detail: 'recordsToken: is that of another destination, whose records it would show' },
      });
  });

  it('that get less than everything have a token for the rest, which is shown once and stays', async () => {
    const store = await openIn(database);
    const { get, post } = await openAdmin({ store });
    const { recordsToken, ...added } = (await post(`${path}/add`, { ...alder, detail: 'thin' })).body;
    expect([added, recordsToken]).toEqual([
      { name: 'alder', secret: expect.any(String) },
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    expect((await get(path)).body).toMatchObject({ detail: 'thin', maxBytes: null, hasRecordsToken: true });
    const sealed = async () =>
      JSON.stringify(await store.db.selectFrom('destinations').select(['settings', 'updated_at']).execute());
    expect(await sealed()).not.toContain(recordsToken);
    expect(JSON.stringify((await get('/audit')).body)).not.toContain(recordsToken);
    const bounded = { ...alder, detail: 'bounded', maxBytes: 1000 };
    expect((await post(`${path}/change`, bounded)).body).toEqual({ name: 'alder', withdrawn: 0 });
    expect((await get(path)).body).toMatchObject({ detail: 'bounded', maxBytes: 1000, hasRecordsToken: true });
    expect((await post(`${path}/rotate`, { of: 'recordsToken' })).body).toEqual({
      name: 'alder',
      recordsToken: expect.stringMatching(/^[\w-]{43}$/),
    });
    const whole = await post('/destinations/9104/bright/add', alder);
    expect(whole.body).toEqual({ name: 'bright', secret: expect.any(String) });
    expect((await get('/destinations/9104/bright')).body).toMatchObject({ detail: 'full', hasRecordsToken: false });
  });

  it('are of any kind, and what is not signed has no secret', async () => {
    const { get, post } = await openAdmin({ store: await openIn(database) });
    const bus = { kind: 'amqp', url: 'amqps://me:hush@bus.test/orders', exchange: 'wms' };
    expect(await post('/destinations/9104/bus/add', bus)).toMatchObject({ status: 201, body: { name: 'bus' } });
    expect((await get('/destinations/9104/bus')).body).toMatchObject({ address: 'amqps://bus.test/orders' });
    const url = 'temporals://temporal.test:7233/orders';
    const workflows = { kind: 'temporal', url, bearer: 'hush', workflowType: 'fulfillment', taskQueue: 'fulfillment' };
    const added = await post('/destinations/9104/fulfillment/add', workflows);
    expect(added.body).toEqual({ name: 'fulfillment', recordsToken: expect.any(String) });
    const shown = (await get('/destinations/9104/fulfillment')).body;
    expect(shown).toMatchObject({ address: url, detail: 'thin', mode: 'structured' });
    expect(JSON.stringify([shown, (await get('/audit')).body])).not.toContain('hush');
    expect(await post('/destinations/9104/fulfillment/rotate')).toMatchObject({ status: 409 });
    await post(`${path}/add`, alder);
    expect(await post(`${path}/change`, workflows)).toMatchObject({ status: 200, body: { name: 'alder' } });
    expect((await get(path)).body).toMatchObject({ address: url });
    const refused = await post('/destinations/9104/other/add', { ...workflows, secret: 'whsec_AAAA' });
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('secret: is not known here') },
    });
  });

  it('are only configured where no key encrypts their secrets', async () => {
    const { post } = await openAdmin({ store: await openIn(database), env: { DESTINATION_KEYS: '' } });
    expect(await post(`${path}/add`, alder)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('DESTINATION_KEYS') },
    });
  });

  it('are paused and resumed, also those of the configuration', async () => {
    const store = await openIn(database);
    await recordAs(store, order, { announcements: [announcementOf(1)] });
    const { get, post } = await openAdmin({ store });
    const state = async () => (await get('/destinations/9104/default')).body;
    expect(await post('/destinations/9104/default/pause')).toMatchObject({ status: 200 });
    expect(await state()).toMatchObject({
      state: 'paused',
      because: 'paused by an operator on this machine',
      unsent: 1,
    });
    expect(await store.subjects.unsent(order)).toEqual({});
    await post('/destinations/9104/default/resume');
    expect(await state()).toMatchObject({ state: 'active', because: null, unsent: 1 });
    expect(await store.subjects.unsent(order)).toEqual({ default: [announcementOf(1).id] });
  });
});

describeOnEither('a destination that Dockline has stopped', (database) => {
  it('is an incident on the first page of the board, and one paused by hand a fact', async () => {
    const store = await openIn(database);
    const { get, url } = await openAdmin({ store });
    const first = async () => await (await fetch(`${url}/board`)).text();
    expect(await first()).toContain('Nothing is wrong');
    await store.destinations.pause({ tenant: '9104', id: 'default' }, 'answered 410', 'dockline');
    expect((await get('/destinations/9104/default')).body).toMatchObject({ state: 'stopped', because: 'answered 410' });
    await expect.poll(first, { timeout: 5000 }).toContain('Dockline has stopped sending to receiver default');
    const stopped = await first();
    expect(stopped).toContain('<form method="post" action="/board/destinations/9104/default/resume">');
    expect(stopped).not.toContain('Nothing is wrong');
    await store.destinations.resume({ tenant: '9104', id: 'default' });
    await store.destinations.pause({ tenant: '9104', id: 'default' }, 'paused by ada');
    await expect.poll(first).toContain('Paused by hand');
    await expect.poll(first, { timeout: 5000 }).toContain('Nothing is wrong');
  });
});

describe('a destination', () => {
  it('is tried with a test, and signs with the secret before for as long as that was asked', async () => {
    const { url, requests } = await startRecordingServer(() => ({ status: requests.length > 3 ? 503 : 204 }));
    const store = await openTemporaryStore();
    const { get, post } = await openAdmin({ store });
    const { secret } = (await post(`${path}/add`, { url })).body;
    expect((await post(`${path}/test`)).body).toMatchObject({ isDelivered: true, detail: 'answered 204' });
    const { secret: next } = (await post(`${path}/rotate`, { hours: 1 })).body;
    await post(`${path}/test`);
    await post(`${path}/rotate`, { hours: 0 });
    await post(`${path}/test`);
    const isSigned = (index: number, by: string) => {
      const { body = '', headers } = requests[index] ?? {};
      try {
        return new Webhook(by).verify(body, headers as Record<string, string>) !== undefined;
      } catch {
        return false;
      }
    };
    expect([0, 1, 2].map((index) => [isSigned(index, secret), isSigned(index, next)])).toEqual([
      [true, false],
      [true, true],
      [false, false],
    ]);
    expect((await post(`${path}/test`)).body).toMatchObject({
      isDelivered: false,
      detail: expect.stringContaining('503'),
    });
    const [failed] = (await get('/audit')).body.items;
    expect(failed).toMatchObject({
      action: 'test',
      outcome: 'failed',
      target: { type: 'destination', id: '9104 alder' },
    });
  });
});
