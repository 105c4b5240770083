import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { toEntry } from '../../src/ingress/message/delivery.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { describeOnEither, openIn, type TestDatabase } from '../store/databases.ts';

const MINUTE = 60_000;

/** Quarantines a delivery whose event is known by now, if `isKnown`. */
async function quarantine({ inbox }: Store, id: number, isKnown = true): Promise<void> {
  const eventType = isKnown ? 'OrderShipped' : 'OrderExploded';
  const body = Buffer.from(JSON.stringify({ wmsEventId: id, eventType, data: { OrderId: '31' } }));
  await inbox.add([toEntry({ endpoint: 'warehouse', receivedAt: Date.now(), body }, { tenant: '9104' })]);
}

describeOnEither('a bulk action', (database) => {
  const open = async (on: TestDatabase) => {
    const store = await openIn(on);
    const admin = await openAdmin({ store });
    const { get, post } = admin;
    const preview = async (action: string, filter?: object) => (await post('/bulk', { action, filter })).body;
    const ended = async (id: number) => {
      await expect.poll(async () => (await get(`/bulk/${id}`)).body.state).not.toBe('running');
      return (await get(`/bulk/${id}`)).body;
    };
    const quarantined = async () =>
      (await get('/quarantine')).body.items.map(({ eventId }: { readonly eventId: string }) => eventId);
    return { ...admin, store, preview, ended, quarantined };
  };

  it('is previewed with the exact count and a sample, and does nothing before it is confirmed', async () => {
    const { store, preview, get, quarantined } = await open(database);
    for (let id = 1; id <= 12; id += 1) await quarantine(store, id);
    await quarantine(store, 13, false);
    const bulk = await preview('reprocess', {
      code: 'unknownName',
      data: '{"name":"OrderShipped","families":["order"]}',
    });
    const ids = (await get('/quarantine')).body.items.map(({ id }: { readonly id: number }) => String(id));
    expect(bulk).toMatchObject({
      action: 'reprocess',
      filter: { code: 'unknownName', data: '{"name":"OrderShipped","families":["order"]}' },
      state: 'previewed',
      total: 12,
      sample: ids.slice(0, 10),
      done: 0,
      failed: 0,
      createdBy: 'an operator on this machine',
      confirmedAt: null,
      failures: [],
    });
    expect(await quarantined()).toHaveLength(13);
    expect((await get('/audit')).body.items).toEqual([]);
    expect((await get('/bulk')).body.items).toMatchObject([{ id: bulk.id }]);
  });

  it('is not previewed if its filter names too many', async () => {
    const { store, post, get } = await open(database);
    await quarantine(store, 1);
    await sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100000)
      insert into inbox (event_id, endpoint, tenant, quarantine_code, quarantine_data, received_at, body)
      select '9104:many' || n, endpoint, tenant, quarantine_code, quarantine_data, received_at, body
      from inbox, numbers`.execute(store.db);
    const detail = 'The filter names more than 100,000; name fewer at a time.';
    expect(await post('/bulk', { action: 'reprocess' })).toMatchObject({ status: 409, body: { detail } });
    expect((await get('/bulk')).body.items).toEqual([]);
  });

  it('does what was previewed, lists what failed, and is one entry of the audit log', async () => {
    const { store, preview, ended, get, post, quarantined } = await open(database);
    for (let id = 1; id <= 45; id += 1) await quarantine(store, id, id % 15 !== 0);
    const { id } = await preview('reprocess', { tenant: '9104' });
    expect(await post(`/bulk/${id}/confirm`)).toMatchObject({ status: 202 });
    const error = 'It is still not understood.';
    expect(await ended(id)).toMatchObject({
      state: 'done',
      total: 45,
      done: 42,
      failed: 3,
      finishedAt: expect.any(String),
      failures: [1, 2, 3].map(() => ({ target: expect.any(String), error })),
    });
    expect(await quarantined()).toEqual(['9104:15', '9104:30', '9104:45']);
    await expect.poll(store.inbox.waiting).toBe(42);
    expect((await get('/audit')).body.items).toMatchObject([
      {
        action: 'reprocess',
        target: { type: 'bulk', id: String(id) },
        outcome: 'done',
        detail: '45 of 45 tried, 3 failed',
      },
    ]);
  });

  it('starts once, however often it is confirmed', async () => {
    const { store, preview, ended, get, post } = await open(database);
    for (let id = 1; id <= 30; id += 1) await quarantine(store, id);
    const { id } = await preview('reprocess');
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(`/bulk/${id}/confirm`)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect(await ended(id)).toMatchObject({ done: 30 });
    expect(await post(`/bulk/${id}/confirm`)).toMatchObject({ status: 202, body: { state: 'done', done: 30 } });
    expect((await get('/audit')).body.items).toHaveLength(1);
  });

  it('cannot be confirmed after a quarter of an hour', async () => {
    const { store, preview, get, post, quarantined } = await open(database);
    const wait = (minutes: number) =>
      store.db
        .updateTable('bulk_actions')
        .set(({ eb }) => ({ expires_at: eb('expires_at', '-', minutes * MINUTE) }))
        .execute();
    await quarantine(store, 1);
    const { id } = await preview('reprocess');
    await wait(16);
    expect((await get(`/bulk/${id}`)).body.state).toBe('expired');
    expect(await post(`/bulk/${id}/confirm`)).toMatchObject({
      status: 409,
      body: { detail: 'Nobody confirmed it in time. Preview it again.' },
    });
    expect(await quarantined()).toEqual(['9104:1']);
    await wait(104);
    await preview('reprocess');
    expect((await get(`/bulk/${id}`)).status).toBe(404);
  });

  it('waits while Temporal is away, says so, and ends when somebody cancels it', async () => {
    const { store, preview, get, post } = await open(database);
    for (const id of ['1', '2']) await record(store, `order:9104:${id}`);
    const { id, sample } = await preview('refresh', { kind: 'order' });
    expect(sample).toEqual(['order:9104:1', 'order:9104:2']);
    await post(`/bulk/${id}/confirm`);
    const trouble = async () => (await get(`/bulk/${id}`)).body.trouble;
    await expect.poll(trouble).toBe('Temporal does not answer now.');
    expect(await post(`/bulk/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { state: 'canceled', done: 0, failed: 0, trouble: null },
    });
    expect(await post(`/bulk/${id}/confirm`)).toMatchObject({
      status: 409,
      body: { detail: 'It was canceled. Preview it again.' },
    });
    expect((await get('/audit')).body.items).toMatchObject([
      { action: 'cancel', target: { type: 'bulk', id: String(id) }, outcome: 'done' },
      { action: 'refresh', outcome: 'done', detail: '0 of 2 tried, 0 failed; canceled' },
    ]);
  });

  it('is not previewed for an invalid filter', async () => {
    const { post, get } = await open(database);
    for (const body of [
      {},
      { action: 'erase', filter: {} },
      { action: 'reprocess', filter: { sinse: '2026-02-11T00:00:00Z' } },
      { action: 'reprocess', filter: { since: 'yesterday' } },
      { action: 'reprocess', filter: { code: 'unknown' } },
      { action: 'resend', filter: { stage: 'picked' } },
      [],
    ]) {
      expect(await post('/bulk', body)).toMatchObject({ status: 400 });
    }
    expect((await get('/bulk')).body.items).toEqual([]);
    for (const [action, method] of [['/bulk/404'], ['/bulk/404/confirm', 'POST']] as const) {
      expect(await (method ? post(action) : get(action))).toMatchObject({ status: 404 });
    }
  });
});
