import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { readerOf } from '../../src/app/webhook.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createInbox } from '../../src/inbox/inbox.ts';
import { createWebhookApp } from '../../src/ingress/app.ts';
import type { Endpoint } from '../../src/ingress/endpoints.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { openTestHealth } from '../health/sound-machine.ts';
import { describeOnBoth, describeOnEither, openIn, type TestDatabase } from '../store/databases.ts';
import { waitingKeys } from '../store/recordings.ts';

const logger = pino({ level: 'silent' });

/** Serves the webhooks of account 9104 as one process does. */
function openWebhooks(store: Store, aliases = '') {
  const config = loadConfig({ WEBHOOK_EVENT_ALIASES: aliases });
  const endpoints = new Map<string, Endpoint>([['warehouse', { verify: async () => 'authentic', tenant: '9104' }]]);
  const read = readerOf(endpoints, { config, store });
  const inbox = createInbox({ rows: store.inbox, limit: 1000 });
  let received = 0;
  const app = createWebhookApp({
    ...{ endpoints, read, logger, bodyLimit: 10_000, requestsPerMinute: 1000, failuresPerMinute: 600 },
    inbox,
    trustedProxies: [],
    whyNotReady: async () => undefined,
  });
  onTestFinished(() => app.close());
  return {
    counts: inbox.counts,
    /** Receives a webhook about an order of its own. */
    async receive(eventType: string) {
      received += 1;
      const id = Number(`${process.hrtime.bigint() % 10_000_000n}${received}`);
      const payload = JSON.stringify({ wmsEventId: id, eventType, data: { OrderId: String(id) } });
      expect((await app.inject({ method: 'POST', url: '/webhooks/warehouse', payload })).statusCode).toBe(200);
    },
  };
}

/** Opens the stores of two processes; SQLite has only one. */
async function openTwo(database: TestDatabase): Promise<readonly [Store, Store]> {
  if (database.name === 'SQLite') {
    const store = await openIn(database);
    return [store, store];
  }
  const location = await database.locate();
  return [await openIn(database, { location }), await openIn(database, { location })];
}

const PATH = '/event-names/order/OrderConfirmV2';

describeOnBoth('a name that nobody knows', (database) => {
  it('is accepted for what waits and for what comes, in every process, until that is taken back', async () => {
    const [one, other] = await openTwo(database);
    const { get, post } = await openAdmin({ store: one });
    const { receive } = openWebhooks(other);
    const quarantined = async () => (await get('/quarantine')).body.items.length;
    await receive('OrderConfirmV2');
    await receive('Order_Confirm V2');
    await receive('PackCompleteV2');
    expect((await get('/event-names')).body).toMatchObject({
      unknown: expect.arrayContaining([
        expect.objectContaining({
          name: 'OrderConfirmV2',
          key: 'order/orderconfirmv2',
          count: 1,
        }),
        expect.objectContaining({ name: 'PackCompleteV2' }),
      ]),
      accepted: [],
    });

    expect((await post(`${PATH}/accept`, { as: 'OrderConfirm' })).body).toEqual({
      ...{ key: 'order/orderconfirmv2', as: 'OrderConfirm', ingested: 2 },
    });
    expect(await quarantined()).toBe(1);
    await receive('OrderConfirmV2');
    expect(await quarantined()).toBe(1);
    expect(await waitingKeys(other)).toHaveLength(3);
    const events = await one.db.selectFrom('inbox').select('event').where('event', 'is not', null).execute();
    expect(events.map(({ event }) => JSON.parse(event ?? '').name)).toEqual(Array(3).fill('OrderConfirm'));

    expect(await post(`${PATH}/accept`, { as: 'OrderConfirm' })).toMatchObject({ status: 200, body: { ingested: 0 } });
    expect((await get('/event-names')).body.accepted).toMatchObject([
      { key: 'order/orderconfirmv2', family: 'order', as: 'OrderConfirm', by: 'an operator on this machine' },
    ]);

    expect((await post(`${PATH}/forget`)).body).toEqual({ key: 'order/orderconfirmv2', was: 'OrderConfirm' });
    await receive('OrderConfirmV2');
    expect(await quarantined()).toBe(2);
    expect(await post(`${PATH}/forget`)).toMatchObject({ status: 404 });
    expect((await get('/audit')).body.items.map((it: { action: string }) => it.action)).toEqual(
      // What was refused has an entry, too.
      ['forget-name', 'forget-name', 'accept-name', 'accept-name'],
    );
  });

  it('is ignored without an incident, and is one again once that is taken back', async () => {
    const [one, other] = await openTwo(database);
    const { get, post } = await openAdmin({ store: one });
    const { receive } = openWebhooks(other);
    const found = async () =>
      (await openTestHealth(one).whole.open()).map(({ condition, place, title }) => [condition, place, title]);
    await receive('OrderPinged');
    const incident = ['quarantine', 'event/order', '1 webhook has an unknown name'];
    expect(await found()).toEqual([incident]);

    await post('/event-names/order/OrderPinged/accept', { as: 'ignore' });
    await receive('OrderPinged');
    expect(await found()).toEqual([]);
    expect((await get('/event-names')).body.unknown).toEqual([]);
    expect((await get('/quarantine?summary=true')).body.items).toMatchObject([
      { reason: 'ignored event "OrderPinged" of an order', count: 2 },
    ]);

    await post('/event-names/order/OrderPinged/forget');
    expect(await found()).toEqual([['quarantine', 'event/order', '2 webhooks have unknown names']]);
  });

  it('has the meaning of WEBHOOK_EVENT_ALIASES, whatever it was accepted as', async () => {
    const store = await openIn(database);
    const { post } = await openAdmin({ store });
    await post(`${PATH}/accept`, { as: 'OrderUpdate' });
    for (const alias of ['OrderConfirmV2=OrderConfirm', 'order/OrderConfirmV2=OrderConfirm'])
      await openWebhooks(store, alias).receive('OrderConfirmV2');
    const events = await store.db.selectFrom('inbox').select('event').execute();
    expect(events.map(({ event }) => JSON.parse(event ?? '').name)).toEqual(['OrderConfirm', 'OrderConfirm']);
    const configured = await openAdmin({ store, env: { WEBHOOK_EVENT_ALIASES: 'OrderConfirmV2=OrderConfirm' } });
    expect(await configured.post(`${PATH}/accept`, { as: 'OrderUpdate' })).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/^It means OrderConfirm already; WEBHOOK_EVENT_ALIASES/) },
    });
  });
});

describeOnEither('a name that nobody knows', (database) => {
  it.each([
    ['order', 'x'.repeat(61), 'OrderUpdate', 400],
    ['order', 'Order\0Gone', 'OrderUpdate', 400],
    ['order', '出荷', 'OrderUpdate', 409],
    ['order', '\u202e\u0007', 'ignore', 409],
    ['order', 'order-confirm', 'OrderUpdate', 409],
    ['order', 'OrderGone', 'ReceiptUpdate', 409],
    ['order', 'OrderGone', 'OrderTeleported', 400],
    ['parcel', 'OrderGone', 'OrderUpdate', 400],
    ['receipt', '__proto__', 'ReceiptUpdate', 200],
    ['any', 'a/../<b>"\n\u202e', 'OrderUpdate', 200],
  ])('is accepted only if it can be told from others: %s %j as %s', async (family, name, as, status) => {
    const store = await openIn(database);
    const { post, get } = await openAdmin({ store });
    expect(await post(`/event-names/${family}/${encodeURIComponent(name)}/accept`, { as })).toMatchObject({ status });
    expect((await get('/event-names')).body.accepted).toHaveLength(status === 200 ? 1 : 0);
  });

  it('is not for who may only act, or is limited', async () => {
    const store = await openIn(database);
    const all = ['read', 'act', 'bodies', 'manage'] as const;
    const tokens = [
      { name: 'operator', token: 'of-an-operator', roles: ['read', 'act', 'bodies'] as const },
      { name: 'account', token: 'of-an-account', roles: all, limits: [{ tenant: '9104' }] },
      { name: 'customer', token: 'of-a-customer', roles: all, limits: [{ tenant: '9104', customer: '418' }] },
    ];
    const { call } = await openAdmin({ store, tokens });
    for (const { token } of tokens)
      for (const [path, body] of [
        [`${PATH}/accept`, { as: 'OrderConfirm' }],
        [`${PATH}/forget`, undefined],
      ] as const)
        expect(
          await call(path, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
            ...(body && { body: JSON.stringify(body) }),
          }),
        ).toMatchObject({ status: 403 });
    expect(await store.eventNames.meanings()).toEqual({});
  });

  it('is accepted on the page, which shows whatever it is called', async () => {
    const store = await openIn(database);
    const { url } = await openAdmin({ store });
    const { receive } = openWebhooks(store);
    await receive('Order<script>alert(1)</script>');
    await receive('OrderConfirmV2');
    const page = async () => await (await fetch(`${url}/board/event-names`)).text();
    const before = await page();
    expect(before).not.toContain('<script>alert');
    expect(before).toMatch(/<option>OrderConfirm<\/option>.*<button>Accept</);
    expect(before).toMatch(/<button name="as" value="ignore">Ignore</);
    const [, action = ''] = /action="(\/board\/event-names\/order\/orderconfirmv2\/accept)"/.exec(before) ?? [];
    const sent = await fetch(url + action, {
      method: 'POST',
      headers: { origin: url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'as=OrderConfirm',
      redirect: 'manual',
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/board/event-names?done=name-accepted']);
    expect(await page()).toMatch(/action="\/board\/event-names\/order\/orderconfirmv2\/forget"/);
    expect(await waitingKeys(store)).toHaveLength(1);
  });
});
