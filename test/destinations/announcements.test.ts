import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { announcementList } from '../../src/destinations/views/announcements.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { recordAs, takeKeys } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { announcementOf, entryOf, order, quarantinedEntry, toDefault, unleased } from '../support/make.ts';
import { record } from './record.ts';

const at = Date.UTC(2026, 1, 11);
let minutes = 0;
const now = () => at + minutes * 60_000;

/** Opens a store at the beginning of its time. */
async function open(database: Parameters<typeof openIn>[0]): Promise<Store> {
  minutes = 0;
  return await openIn(database, { now });
}

/** Makes announcements of an order, one a minute. */
async function make(store: Store, id: string, milestones: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const milestone of milestones) {
    ids.push(...(await record(store, `order:9104:${id}`, { milestones: [milestone] })));
    minutes += 1;
  }
  return ids;
}

const acknowledged = { status: 204, ms: 1 };
const failed = { outcome: 'failed', status: 503, ms: 1, error: 'POST answered 503' } as const;

const idsOf = (items: readonly unknown[]) => items.map((item) => (item as { id: string }).id);

describeOnEither('announcements', (database) => {
  it('are listed with their state, and without bodies', async () => {
    const store = await open(database);
    const [, deadLettered = ''] = await make(store, '31', ['created', 'picked']);
    await store.outbox.deadLetter(toDefault(deadLettered), 'answered 503');
    const { get } = await openAdmin({ store });
    const { items } = (await get('/announcements')).body;
    expect(items[0]).toEqual({
      id: deadLettered,
      destination: 'default',
      subject: 'order:9104:31',
      type: 'order.picked',
      customerId: null,
      customerName: null,
      referenceNumber: null,
      revision: 2,
      state: 'dead-lettered',
      isOnHold: false,
      isReplay: false,
      deadLetterReason: 'answered 503',
      attempts: 0,
      lastStatus: null,
      lastError: null,
      bytes: 17,
      leftOut: [],
      createdAt: '2026-02-11T00:01:00.000Z',
      sentAt: null,
      deadLetteredAt: '2026-02-11T00:02:00.000Z',
    });
    expect(JSON.stringify(items)).not.toContain('Jane');
  });

  it('are shown with their body', async () => {
    const store = await open(database);
    const [id] = await make(store, '31', ['created']);
    const { get } = await openAdmin({ store });
    expect((await get(`/announcements/${id}`)).body).toMatchObject({ id, state: 'unsent', body: '{"name":"Jane 1"}' });
    expect((await get(`/announcements/${encodeURIComponent(String(id))}`)).body).toMatchObject({ id });
    await recordAs(store, order, { announcements: [{ ...announcementOf(1), destinations: [] }] });
    const { body: unwanted } = await get(`/announcements/${announcementOf(1).id}`);
    expect(unwanted).toMatchObject({ destination: null, state: 'unwanted' });
    expect(await get('/announcements/order:9104:31/2/created')).toMatchObject({ status: 404 });
    expect(await get('/announcements/order%3A9104%3A31%2F2%2Fcreated')).toMatchObject({ status: 404 });
  });

  it('are shown with their attempts and the last error, until they are acknowledged', async () => {
    const store = await open(database);
    const [id = ''] = await make(store, '31', ['created']);
    const { get } = await openAdmin({ store });
    const show = async () => (await get(`/announcements/${id}`)).body;
    expect(await show()).toMatchObject({ attempts: 0, lastStatus: null, lastError: null });
    await store.outbox.failed(unleased(id), failed);
    await store.outbox.failed(unleased(id), {
      outcome: 'failed',
      status: null,
      ms: 1,
      error: 'POST failed: ECONNREFUSED',
    });
    expect(await show()).toMatchObject({
      state: 'unsent',
      attempts: 2,
      lastStatus: null,
      lastError: 'POST failed: ECONNREFUSED',
    });
    await store.outbox.sent(toDefault(id), acknowledged);
    expect(await show()).toMatchObject({ state: 'sent', attempts: 3, lastStatus: 204, lastError: null });
  });

  it('are shown with their size, and with what was left out, also once they are purged', async () => {
    const store = await open(database);
    const [id = ''] = await make(store, '31', ['created']);
    const bytes = Buffer.byteLength('{"name":"Jane 1"}');
    const { get, url } = await openAdmin({ store });
    const show = async () => (await get(`/announcements/${id}`)).body;
    const page = async () => await (await fetch(`${url}/board/announcements/${id}`)).text();
    expect(await show()).toMatchObject({ bytes, leftOut: [] });
    expect(await page()).not.toContain('Sent without');
    await store.outbox.sent(toDefault(id), { ...acknowledged, leftOut: ['order', 'customer'] });
    await store.purge('announcements', now() + 1, 10);
    expect(await show()).toMatchObject({ bytes, leftOut: ['order', 'customer'], body: null });
    expect(await page()).toContain('<dt>Sent without</dt><dd>order, customer</dd>');
    expect(await page()).toContain(`<dt>Size</dt><dd>${bytes} bytes</dd>`);
  });

  it('are not resent once they are acknowledged', async () => {
    const store = await open(database);
    const [sent = ''] = await make(store, '31', ['created']);
    await store.outbox.sent(toDefault(sent), acknowledged);
    const { post } = await openAdmin({ store });
    expect(await post(`/announcements/${sent}/resend`)).toMatchObject({
      status: 409,
      body: { detail: 'Every destination has acknowledged the announcement.' },
    });
    expect(await post(`/announcements/${encodeURIComponent(String(sent))}/resend`)).toMatchObject({ status: 409 });
    expect(await post('/announcements/order:9104:99/1/created/resend')).toMatchObject({ status: 404 });
  });

  it('are queued when they are resent, and their workflow is to be woken, even while Temporal is away', async () => {
    const store = await open(database);
    const ids = await make(store, '31', ['created', 'picked']);
    for (const id of ids) await store.outbox.deadLetter(toDefault(id), 'answered 503');
    const { get, post } = await openAdmin({ store });
    const [first = '', second = ''] = ids;
    expect(await post(`/announcements/${first}/resend`)).toMatchObject({ status: 202, body: { asked: 1 } });
    expect(idsOf((await get('/announcements?state=unsent')).body.items)).toEqual([first]);
    expect(await post(`/announcements/${second}/resend`)).toMatchObject({ status: 202, body: { asked: 1 } });
    expect(idsOf((await get('/announcements?state=unsent&sort=oldest')).body.items)).toEqual(ids);
    expect(await takeKeys(store)).toEqual(['order:9104:31']);
  });
});

describeOnEither('the status', (database) => {
  it('counts waiting events, dead letters and subjects by stage, even while Temporal is away', async () => {
    const store = await open(database);
    const [sent = '', deadLettered = '', ,] = await make(store, '31', ['created', 'picked', 'packed']);
    const more = await make(store, '32', ['created']);
    await store.outbox.sent(toDefault(sent), acknowledged);
    for (const id of [deadLettered, ...more]) await store.outbox.deadLetter(toDefault(id), 'answered 503');
    await store.inbox.add([
      quarantinedEntry('1'),
      quarantinedEntry('2', 'rare'),
      quarantinedEntry('3'),
      entryOf('31', 4),
    ]);
    const { get } = await openAdmin({ store });
    const { incidents, ...status } = (await get('/status')).body;
    expect(incidents.map(({ name }: { readonly name: string }) => name)).toEqual([
      'quarantine@event/order',
      'dead-letters',
      'stuck',
    ]);
    expect(status).toEqual({
      inbox: {
        waiting: 1,
        oldestReceivedAt: '1970-01-01T00:00:00.004Z',
        quarantined: 3,
      },
      announcements: { unsent: 1, deadLettered: 2 },
      subjects: [{ kind: 'order', stage: 'created', count: 2 }],
      attention: { stalled: 0, refused: 0, unannounced: 2, failing: 0 },
      due: { overdue: 0, willMiss: 0, atRisk: 0, soon: 0 },
    });
  });
});

it.each([
  [{ state: 'failing' }, 'outbox_failing'],
  [{ state: 'unsent', tenant: '9104', destination: 'default' }, 'outbox_destination'],
] as const)('announcements that match %j are counted in an index of them alone', async (query, index) => {
  const { reads } = await openTemporaryStore();
  const matching = await announcementList.match({ reads }, query);
  const counted = matching.clearSelect().select(sql.lit(1).as('one')).limit(10);
  const plan = await counted.explain(undefined, sql`query plan`);
  expect(JSON.stringify(plan)).toContain(`INDEX ${index}`);
});
