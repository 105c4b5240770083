import { expect, it } from 'vitest';
import type { AccessToken } from '../../src/admin/access.ts';
import { createSessions } from '../../src/admin/board/session.ts';
import type { Store } from '../../src/app/store.ts';
import type { Entry } from '../../src/domain/quarantine.ts';
import { createResources } from '../../src/subjects/tables/resources.ts';
import { describeOnSqlite, openIn, type TestDatabase } from '../store/databases.ts';
import { decisionOf, lifecycleAt, quarantinedEntry } from '../support/make.ts';
import { openAdmin } from './open-admin.ts';
import { type NotedRoute, noteRoutes } from './routes.ts';

const NOW = 1_770_000_000_000;

const tokenOf = (name: string, limits?: AccessToken['limits']): AccessToken => ({
  name,
  roles: limits ? ['read', 'act', 'bodies'] : ['read', 'act', 'bodies', 'manage'],
  token: `the-token-of-${name}`,
  limits,
});

const lead = tokenOf('lead');
const ofCustomer = tokenOf('of-customer', [{ tenant: '9104', customer: '418' }]);
const ofAccount = tokenOf('of_account', [{ tenant: '9104' }]);
/** Others whose names a careless comparison takes for the one above. */
const alike = ['Of_Account', 'ofXaccount', '%'].map((name) => tokenOf(name, [{ tenant: '9104' }]));

/** Somebody whose records are in the store; the prefix begins everything that names one of them. */
interface Owner {
  readonly tenant: string;
  readonly customer: string | undefined;
  readonly prefix: string;
  readonly destinations: readonly string[];
}

const alder: Owner = { tenant: '9104', customer: '418', prefix: 'alder', destinations: ['alder'] };
/** The same as {@link alder}, which the warehouse's own system hears of as well. */
const alderAndErp: Owner = { ...alder, destinations: ['alder', 'erp'] };
const beech: Owner = { tenant: '9104', customer: '419', prefix: 'beech', destinations: ['beech', 'erp'] };
const unknown: Owner = { tenant: '9104', customer: undefined, prefix: 'unowned', destinations: ['erp'] };
const elsewhere: Owner = { tenant: '9105', customer: '418', prefix: 'elsewhere', destinations: ['alder'] };

/** Stores whatever there may be of somebody: an order, events, announcements in each state, and a quarantined delivery. */
async function fill(store: Store, { tenant, customer, prefix, destinations }: Owner): Promise<void> {
  const subject = { tenant, kind: 'order', id: `${prefix}1` } as const;
  const key = `order:${tenant}:${subject.id}`;
  const eventOf = (eventId: string): Entry => ({
    eventId,
    endpoint: 'warehouse',
    tenant,
    subjectKey: key,
    event: { id: eventId, tenant, name: 'OrderUpdate', subject: 'order', subjectId: subject.id, time: 1 },
    receivedAt: NOW,
    body: Buffer.from(`{"of":"${prefix}"}`),
  });
  await store.inbox.add([
    eventOf(`${prefix}:recorded`),
    { ...quarantinedEntry(`${prefix}:quarantined`, prefix), tenant },
  ]);
  const { events } = await store.subjects.load(subject, 10);
  const announcements = [1, 2, 3].map((revision) => ({
    id: `${key}/${revision}/updated`,
    revision,
    body: `{"of":"${prefix}"}`,
    summary: prefix,
    destinations,
  }));
  const snapshot = {
    status: 'open',
    referenceNumber: `${prefix}-ref`,
    ...(customer !== undefined && { customerId: customer }),
  } as const;
  await store.subjects.record(
    subject,
    events.map(({ id }) => id),
    async () => ({
      ...decisionOf({
        lifecycle: lifecycleAt(3, { snapshot }),
        stageSince: NOW,
        customerId: customer,
        facts: { poNumber: `${prefix}-po`, carrier: `${prefix} express` },
        announcements,
      }),
      ...(customer !== undefined && { customersOfEvents: new Map(events.map(({ id }) => [id, customer])) }),
    }),
  );
  await createResources(store).put(
    tenant,
    'order',
    subject.id,
    JSON.stringify({ shipTo: { city: `${prefix}ton` } }),
    customer,
  );
  const [first, second] = announcements.map(({ id }) => id);
  for (const destination of destinations) {
    await store.outbox.sent({ id: first ?? '', destination }, { status: 204, ms: 3 });
    await store.outbox.deadLetter({ id: second ?? '', destination }, `${destination} answered 500`);
  }
  await store.inbox.add([eventOf(`${prefix}:waiting`)]);
}

const json = { 'content-type': 'application/json' };

/** Opens the API over a store with the records of some, and the destinations of all of these. */
async function openFilled(database: TestDatabase, owners: readonly Owner[]) {
  const store = await openIn(database, { now: () => NOW });
  const routes = noteRoutes();
  const { url } = await openAdmin({ store, tokens: [lead, ofCustomer, ofAccount, ...alike] });
  for (const { tenant, customer, prefix, destinations } of owners) {
    await fill(store, { tenant, customer, prefix, destinations });
    for (const name of destinations)
      await send('POST', `/destinations/${tenant}/${name}/add`, lead, {
        url: `https://${name}.test/${tenant}`,
        ...(name !== 'erp' && { customers: [customer] }),
      });
  }

  async function send(method: string, path: string, token: AccessToken, body?: object) {
    const session = createSessions([token]).open(token);
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: path.startsWith('/board')
        ? { cookie: `dockline-board=${session}`, 'sec-fetch-site': 'same-origin', origin: url }
        : { authorization: `Bearer ${token.token}`, ...(body && json) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, location: response.headers.get('location'), text: await response.text() };
  }

  /** Reads everything that has an address, or only what names an owner: each list, and each single thing of the owner. */
  async function readAll(token: AccessToken, { tenant, prefix, destinations }: Owner, { isNamed = false } = {}) {
    const numbers = await store.db.selectFrom('inbox').select('id').where('event_id', 'like', `${prefix}:%`).execute();
    const ids = [...numbers.map(({ id }) => String(id)), '9999'];
    const paths = routes
      .filter(({ method }) => method === 'GET')
      .flatMap((route) => pathsOf(route))
      .filter((path) => !isNamed || path.includes(prefix));
    return await Promise.all(
      paths.map(async (path) => {
        const answer = plain(await send('GET', path, token));
        expect({ path, ...answer }).toEqual({ path, ...answer, status: expect.toSatisfy((status) => status < 500) });
        return { path, ...answer };
      }),
    );

    function pathsOf({ url: route }: NotedRoute): readonly string[] {
      // Documents have nothing of a store, and take a third of the time.
      if (/assets|^\/records|openapi|schemas|docs/.test(route)) return [];
      const named = route
        .replace(':tenant/:kind/:id', `${tenant}/order/${prefix}1`)
        .replace(':tenant/:name', `${tenant}/${destinations[0]}`)
        .replace(':subject/:revision/:milestone', `order:${tenant}:${prefix}1/2/updated`);
      if (/search$/.test(named))
        return [`${prefix}1`, `${prefix}-ref`, `${prefix}-po`, `${prefix}:recorded`].map((q) => `${named}?q=${q}`);
      if (/quarantine$/.test(named))
        return [named, `${named}?${named.startsWith('/board') ? 'reason=u' : 'summary=true'}`];
      return named.includes(':id') ? ids.map((id) => named.replace(':id', id)) : [named];
    }
  }
  return { store, send, readAll, routes };
}

/** Removes what differs between equal pages: names of assets, and times of actions. */
const plain = ({
  text,
  ...rest
}: {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}) => ({
  ...rest,
  text: text.replaceAll(
    /data-version=\S+|20(?!26-02)\d\d-\d\d-\d\dT[\d:.]+Z|assets\/[\w-]+|[\da-f]{8}-[\da-f-]{27}/g,
    'X',
  ),
});

describeOnSqlite('a limited token', (database) => {
  it('of a customer has no rooms on the board in which nothing is theirs', async () => {
    const roomsOf = async (own: readonly Owner[], token: AccessToken) => {
      const { send } = await openFilled(database, own);
      const { text } = await send('GET', '/board', token);
      return [...text.matchAll(/<li[^>]*><a href="[^"]*"[^>]*><svg.*?<\/svg>([\w ]+)/g)].map(([, name]) => name);
    };
    const everybodys = ['Overview', 'Orders', 'Inventory', 'Lead times', 'Help'];
    expect(await roomsOf([unknown], ofCustomer)).toEqual(everybodys);
    expect((await roomsOf([alder], ofCustomer)).toSorted()).toEqual(
      [...everybodys, 'Destinations', 'Webhooks'].toSorted(),
    );
    expect(await roomsOf([alder], lead)).toHaveLength(10);
  });

  it.each([
    ['a customer', ofCustomer, [alder], [alderAndErp, beech, unknown, elsewhere]],
    ['an account', ofAccount, [alderAndErp, beech, unknown], [alderAndErp, beech, unknown, elsewhere]],
  ] as const)('of %s reads everything as if nothing else were stored', async (_name, token, own, all) => {
    const alone = await openFilled(database, own);
    const expected = await alone.readAll(token, alder);
    const unlimited = await alone.readAll(lead, alder);
    const together = await openFilled(database, all);
    expect(await together.readAll(token, alder)).toEqual(expected);
    // It finds its own, and what is compared differs for whoever sees everything.
    expect(expected.filter(({ status, text }) => status === 200 && text.includes('alder')).length).toBeGreaterThan(15);
    expect(expected.filter(({ text }) => text.includes('alderton')).length).toBe(2);
    const seen = await together.readAll(lead, alder);
    expect(seen.filter(({ text }, index) => text !== unlimited[index]?.text).length).toBeGreaterThan(10);
  });

  it('sends again to its own destinations, and does nothing else', async () => {
    const { send } = await openFilled(database, [alderAndErp, beech, unknown, elsewhere]);
    const page = await send('GET', '/board/subjects/9104/order/alder1', ofCustomer);
    expect(page.text).not.toContain('Refresh</button>');
    const repeat = (filter: object) => ({
      action: 'replay',
      filter: { tenant: '9104', since: '2026-01-01T00:00:00Z', ...filter },
    });
    const tried = async (token: AccessToken, body: object) => await send('POST', '/bulk', token, body);
    const previewed = await tried(ofCustomer, repeat({ destination: 'alder', customer: '418' }));
    expect(previewed.status).toBe(201);
    const { id, total, sample } = JSON.parse(previewed.text);
    expect([total, sample]).toEqual([3, [1, 2, 3].map((revision) => `order:9104:alder1/${revision}/updated`)]);
    expect(await send('POST', `/bulk/${id}/confirm`, ofAccount)).toMatchObject({ status: 404 });
    expect(await send('GET', `/bulk/${id}`, ofAccount)).toMatchObject({ status: 404 });
    expect(await send('POST', `/bulk/${id}/confirm`, ofCustomer)).toMatchObject({ status: 202 });
    expect(await tried(ofAccount, repeat({ destination: 'erp' }))).toMatchObject({ status: 201 });
    const bulk = JSON.parse((await tried(ofAccount, repeat({ destination: 'erp' }))).text).id;
    for (const other of alike) {
      expect(await send('GET', `/bulk/${bulk}`, other)).toMatchObject({ status: 404 });
      expect(await send('POST', `/bulk/${bulk}/cancel`, other)).toMatchObject({ status: 404 });
    }
    expect(await send('POST', `/bulk/${bulk}/cancel`, ofAccount)).toMatchObject({ status: 200 });
    for (const [token, body] of [
      [ofCustomer, repeat({ destination: 'alder' })],
      [ofCustomer, repeat({ destination: 'alder', customer: '419' })],
      [ofCustomer, repeat({ destination: 'beech', customer: '418' })],
      [ofCustomer, repeat({ destination: 'erp', customer: '418' })],
      [ofCustomer, repeat({ destination: 'default', customer: '418' })],
      [ofCustomer, repeat({ tenant: '9105', destination: 'alder', customer: '418' })],
      [ofCustomer, repeat({ destination: 'nobody', customer: '418' })],
      [ofAccount, repeat({ tenant: '9105', destination: 'alder' })],
      [ofAccount, { action: 'resend' }],
      [ofAccount, { action: 'refresh', filter: { tenant: '9104' } }],
      [ofAccount, { action: 'reprocess', filter: { tenant: '9104' } }],
    ] as const)
      expect({ body, ...(await tried(token, body)) }).toMatchObject({ body, status: 403 });
  });
});
