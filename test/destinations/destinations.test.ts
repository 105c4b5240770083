import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { configure } from '../store/configured.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { announcementOf, order, toDefault } from '../support/make.ts';
import { startRecordingServer } from '../warehouse/recording-server.ts';

const alder = { url: 'https://me:hush@alder.test/in?key=private', customers: ['418'], types: ['order.*'] };

const path = '/destinations/9104/alder';

/** Lists of customers that would mean everybody, or nobody, each with what is said of it. */
const notCustomers = [
  [[], ': must name at least one, or be left out for all'],
  [[' '], '.0: must not be empty'],
  [['*'], '.0: must be the id of a customer; leave customers out for all'],
  [['All'], '.0: must be the id of a customer; leave customers out for all'],
  [['418 '], '.0: must be 418, without signs, blanks and zeros around it'],
  [['418\u200b'], '.0: must be 418, without signs, blanks and zeros around it'],
  [['0418'], '.0: must be 418, without signs, blanks and zeros around it'],
  [['418,77'], '.0: must be one customer each, such as [418, 77]'],
  [['null'], '.0: must be the id of a customer, such as 418'],
  [['418', '418'], ': must name each once'],
] as const;

const identityOf = async ({ destinations }: Pick<Store, 'destinations'>, name: string): Promise<string> =>
  (await destinations.find({ tenant: '9104', name }))?.id ?? '';

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
        id: 'default',
        origin: 'configured',
        address: 'https://merchant.test/hook',
        kinds: [],
        types: [],
        customers: [],
        detail: 'full',
        omit: [],
        hasRecordsToken: false,
        state: 'active',
        since: null,
        because: null,
        unsent: 2,
        deadLetters: 1,
        replays: 0,
        oldestUnsentAt: '1970-01-01T00:00:05.000Z',
        successRate: null,
      },
    ]);
    expect((await get('/destinations/9104/default')).body).toMatchObject(body.items[0]);
    expect(await get('/destinations/9104/nobody')).toMatchObject({ status: 404 });
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
    const identity = await identityOf(store, 'alder');
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
    await post('/destinations/9104/elm/add', alder);
    const refused = async (given: object, at = path) => (await post(`${at}/add`, given)).body.detail;
    expect(await refused({ ...alder, url: 'http://alder.test' })).toContain('url: is plain http beyond loopback');
    for (const at of ['add', 'change'])
      for (const [customers, problem] of notCustomers) {
        const { status, body } = await post(`${at === 'add' ? path : '/destinations/9104/elm'}/${at}`, {
          ...alder,
          customers,
        });
        expect([status, body.detail]).toEqual([400, expect.stringContaining(`customers${problem}`)]);
      }
    expect(await refused({ ...alder, detail: 'none' })).toContain('detail must be one of full, advice, thin');
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

  it('are renamed, and shown by their names wherever they are', async () => {
    const store = await openIn(database);
    const { get, post } = await openAdmin({ store });
    await post(`${path}/add`, alder);
    const id = await identityOf(store, 'alder');
    await recordAs(store, order, { announcements: [{ ...announcementOf(1), destinations: [id] }] });
    const lease = await store.outbox.lease({ id: announcementOf(1).id, destination: id }, 1000);
    if (typeof lease !== 'object' || 'quietMs' in lease) throw new Error('it is not to be sent');
    const failure = { outcome: 'failed', status: 503, ms: 1, error: 'answered 503' } as const;
    await store.outbox.failed(lease, failure);
    await post(`${path}/pause`, { reason: 'moves' });
    expect(await post(`${path}/rename`, { to: 'birch' })).toMatchObject({ status: 200, body: { name: 'birch' } });
    expect(await get(path)).toMatchObject({ status: 404 });
    const renamed = (await get('/destinations/9104/birch')).body;
    expect(renamed).toMatchObject({ name: 'birch', state: 'paused', unsent: 1, customers: ['418'] });
    expect(renamed.lastAttempts).toMatchObject([{ destination: 'birch' }]);
    const announcement = (await get(`/announcements/${announcementOf(1).id}`)).body;
    expect(announcement).toMatchObject({ destination: 'birch', lastAttempts: [{ destination: 'birch' }] });
    const listed = async (name: string) => (await get(`/announcements?destination=${name}`)).body.items;
    expect([await listed('alder'), await listed('birch')]).toMatchObject([[], [{ destination: 'birch' }]]);
    const next = { ...alder, recordsToken: 'the-token-of-another-alder' };
    expect(await post(`${path}/add`, next)).toMatchObject({ status: 201 });
    expect([await listed('alder'), await listed('birch')]).toMatchObject([[], [{ destination: 'birch' }]]);
    const [audited] = (await get('/audit?action=rename')).body.items;
    expect(audited).toMatchObject({ target: { id: '9104 alder' }, outcome: 'done', detail: 'is birch now' });
  });

  it('are renamed on their pages, if they were added', async () => {
    const { url, post } = await openAdmin({ store: await openIn(database) });
    await post(`${path}/add`, alder);
    const page = async (name: string) => await (await fetch(`${url}/board/destinations/9104/${name}`)).text();
    expect(await page('default')).not.toContain('Rename');
    expect(await page('alder')).toContain('action="/board/destinations/9104/alder/rename"');
    const body = new URLSearchParams({ to: 'birch' });
    const headers = { origin: url };
    const answer = await fetch(`${url}/board${path}/rename`, { method: 'POST', headers, body, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/board/destinations/9104/birch?done=renamed',
    ]);
    expect(await page('birch?done=renamed')).toContain('It has its new name, and is the same destination.');
  });

  it('are given the name of one that is configured no more, without its pause', async () => {
    const store = await openIn(database);
    const { get, post } = await openAdmin({ store });
    await configure(store, { default: {}, elm: {} });
    await store.destinations.pause({ tenant: '9104', id: 'elm' }, 'paused by ada');
    await configure(store);
    await post(`${path}/add`, alder);
    expect(await post(`${path}/rename`, { to: 'elm' })).toMatchObject({ status: 200 });
    expect((await get('/destinations/9104/elm')).body).toMatchObject({ origin: 'added', state: 'active' });
  });

  it('are not renamed to what is no name or taken, nor if they are configured', async () => {
    const { post } = await openAdmin({ store: await openIn(database) });
    await post(`${path}/add`, alder);
    await post('/destinations/9104/birch/add', alder);
    const refused = async (to: string, at = path) => {
      const { status, body } = await post(`${at}/rename`, { to });
      return [status, body.detail];
    };
    expect(await refused('Birch')).toEqual([400, 'to: must be of small letters, digits and hyphens, at most 40']);
    expect(await refused('a~b')).toEqual([400, 'to: must be of small letters, digits and hyphens, at most 40']);
    expect(await refused('default')).toEqual([400, 'to: is the name of the destination that announce describes']);
    expect(await refused('birch')).toEqual([409, 'There is a destination birch already.']);
    expect(await refused('alder')).toEqual([409, 'There is a destination alder already.']);
    expect(await refused('elm', '/destinations/9104/default')).toEqual([
      409,
      'default is configured; change it there.',
    ]);
    expect(await refused('elm', '/destinations/9104/nobody')).toEqual([404, 'There is no such destination.']);
  });

  it('that were removed do not come back as an attempt fails that was under way', async () => {
    const store = await openIn(database);
    const { get, post } = await openAdmin({ store });
    await post(`${path}/add`, alder);
    const removed = { tenant: '9104', id: await identityOf(store, 'alder') };
    await post(`${path}/remove`);
    await store.destinations.failed(removed, 'answered 503');
    await store.destinations.pause(removed, 'answered 410', 'dockline');
    expect(await store.destinations.findBy(removed)).toMatchObject({ settings: null });
    expect(await get(path)).toMatchObject({ status: 404 });
  });

  it('that were removed are told from whoever has their name since', async () => {
    const store = await openIn(database);
    const { get, post } = await openAdmin({ store });
    await post(`${path}/add`, alder);
    const destination = await identityOf(store, 'alder');
    const ids = [1, 2].map((revision) => announcementOf(revision).id);
    await configure(store, { default: {}, elm: {} });
    await configure(store);
    const to = (destinations: readonly string[]) => ({ ...announcementOf(1), customerId: '418', destinations });
    await recordAs(store, order, { announcements: [to([destination, 'elm'])] });
    for (const it of [destination, 'elm'])
      await store.outbox.sent({ id: ids[0] ?? '', destination: it }, { status: 204, ms: 3 });
    await post(`${path}/remove`);
    await post(`${path}/add`, { ...alder, customers: ['77'] });
    await post('/destinations/9104/elm/add', alder);
    const { items } = (await get('/announcements')).body;
    const names = items.map((it: { readonly destination: string }) => it.destination);
    expect(names.toSorted()).toEqual(['alder (removed)', 'elm (removed)']);
    const own = await get(`/announcements/${ids[0]}`);
    expect(own.body).toMatchObject({ destination: 'alder (removed)', address: null });
    const page = await get('/announcements?limit=1');
    const next = encodeURIComponent(page.body.next);
    expect((await get(`/announcements?limit=1&after=${next}`)).body.items).toHaveLength(1);
  });

  it('keep what was said of them only while they have the same customers', async () => {
    const store = await openIn(database);
    const { get, post } = await openAdmin({ store });
    await post(`${path}/add`, alder);
    await post(`${path}/pause`, { reason: 'they owe us 900' });
    const id = await identityOf(store, 'alder');
    await store.destinations.failed({ tenant: '9104', id }, 'answered "only for 418"');
    await post(`${path}/change`, { ...alder, types: ['receipt.*'] });
    expect((await get(path)).body.because).toContain('they owe us 900');
    await post(`${path}/change`, { ...alder, customers: ['77'] });
    expect((await get(path)).body).toMatchObject({ state: 'paused', because: null });
    expect(await store.db.selectFrom('destinations').select('last_error').execute()).toEqual([
      { last_error: null },
      { last_error: null },
    ]);
    await post(`${path}/resume`);
    expect((await get(path)).body).toMatchObject({ state: 'active', because: null });
  });

  it('that get less than everything have a token for the rest, which is shown once and stays', async () => {
    const store = await openIn(database);
    const { get, post } = await openAdmin({ store });
    const { recordsToken, ...added } = (await post(`${path}/add`, { ...alder, detail: 'thin' })).body;
    expect([added, recordsToken]).toEqual([
      { name: 'alder', secret: expect.any(String) },
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    expect((await get(path)).body).toMatchObject({ detail: 'thin', hasRecordsToken: true });
    const sealed = async () =>
      JSON.stringify(await store.db.selectFrom('destinations').select(['settings', 'updated_at']).execute());
    expect(await sealed()).not.toContain(recordsToken);
    expect(JSON.stringify((await get('/audit')).body)).not.toContain(recordsToken);
    const advised = { ...alder, detail: 'advice' };
    expect((await post(`${path}/change`, advised)).body).toEqual({ name: 'alder', withdrawn: 0 });
    expect((await get(path)).body).toMatchObject({ detail: 'advice', hasRecordsToken: true });
    const whole = await post('/destinations/9104/bright/add', alder);
    expect(whole.body).toEqual({ name: 'bright', secret: expect.any(String) });
    expect((await get('/destinations/9104/bright')).body).toMatchObject({ detail: 'full', hasRecordsToken: false });
  });

  it('that get advices without some members have no token, and get none', async () => {
    const { url, get, post } = await openAdmin({ store: await openIn(database) });
    const advised = { ...alder, detail: 'advice' };
    expect((await post(`${path}/add`, advised)).body).toHaveProperty('recordsToken');
    const omit = ['shipTo.phone', 'charges'];
    expect(await post(`${path}/change`, { ...advised, omit })).toMatchObject({ status: 200, body: { name: 'alder' } });
    expect((await get(path)).body).toMatchObject({ detail: 'advice', omit, hasRecordsToken: false });
    const page = await (await fetch(`${url}/board${path}`)).text();
    expect(page).toContain('without shipTo.phone, without charges');
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
    expect(shown).toMatchObject({ address: url, detail: 'thin' });
    expect(JSON.stringify([shown, (await get('/audit')).body])).not.toContain('hush');
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
    await expect.poll(first, { timeout: 5000 }).toContain('Dockline has stopped sending to destination default');
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
  it('is tried with a test, and signs with each secret that it was given', async () => {
    const { url, requests } = await startRecordingServer(() => ({ status: requests.length > 3 ? 503 : 204 }));
    const store = await openTemporaryStore();
    const { get, post } = await openAdmin({ store });
    const { secret } = (await post(`${path}/add`, { url })).body;
    expect((await post(`${path}/test`)).body).toMatchObject({ isDelivered: true, detail: 'answered 204' });
    const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await post(`${path}/change`, { url, secret: [next, secret] });
    await post(`${path}/test`);
    await post(`${path}/change`, { url, secret: next });
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
      [false, true],
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
