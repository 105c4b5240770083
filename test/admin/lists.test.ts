import { expect, it } from 'vitest';
import { describeOnEither, openIn } from '../store/databases.ts';
import { observe, recordAs } from '../store/recordings.ts';
import { announcementOf, entryOf, lifecycleAt, order, orderOf, quarantinedEntry, toDefault } from '../support/make.ts';
import { openAdmin } from './open-admin.ts';

const HOUR = 3_600_000;
const failed = { outcome: 'failed', status: 503, ms: 1, error: 'POST answered 503' } as const;

describeOnEither('the list of announcements', (database) => {
  /** Opens a store in which an hour passes between two announcements. */
  async function openHourly() {
    let at = Date.now() - 10 * HOUR;
    const store = await openIn(database, { now: () => at });
    const announce = async (
      id: string,
      kind: 'order' | 'receipt',
      destinations: readonly string[],
      customer?: string,
    ) => {
      const subject = { ...order, kind, id };
      const announcement = { ...announcementOf(1, subject), destinations };
      await recordAs(store, subject, { announcements: [announcement], customerId: customer });
      at += HOUR;
      return announcement.id;
    };
    return { store, announce };
  }

  it('has those in every state, newest first, each page after the other, and finds them by what they are', async () => {
    const { store, announce } = await openHourly();
    const sent = await announce('1', 'order', ['default', 'erp'], '418');
    const dead = await announce('2', 'receipt', ['default']);
    const tried = await announce('3', 'order', ['default']);
    const nobody = await announce('4', 'order', []);
    for (const destination of ['default', 'erp'])
      await store.outbox.sent({ id: sent, destination }, { status: 204, ms: 1 });
    await store.outbox.deadLetter(toDefault(dead), 'answered 503');
    await store.outbox.failed({ ...toDefault(tried), previous: null, isReplay: false, leasedUntil: null }, failed);
    const { all, get } = await openAdmin({ store });
    const found = async (query: string, limit = 50) =>
      (await all(`/announcements?${query}`, limit)).map((it) => {
        const { id, destination, state } = it as Record<string, string>;
        return [id, destination, state];
      });
    const everything = [
      [nobody, null, 'unwanted'],
      [tried, 'default', 'unsent'],
      [dead, 'default', 'dead-lettered'],
      [sent, 'erp', 'sent'],
      [sent, 'default', 'sent'],
    ];
    for (const limit of [1, 2, 3, 50]) {
      expect(await found('', limit)).toEqual(everything);
      expect(await found('sort=oldest', limit)).toEqual(everything.toReversed());
    }
    expect(await found('state=unwanted')).toEqual([everything[0]]);
    expect(await found('state=failing')).toEqual([everything[1]]);
    expect(await found('state=sent&destination=erp')).toEqual([everything[3]]);
    expect(await found('kind=receipt')).toEqual([everything[2]]);
    expect(await found('type=receipt.upd*')).toEqual([everything[2]]);
    expect(await found('type=order.updated')).toHaveLength(4);
    expect(await found('type=order.packed')).toEqual([]);
    expect(await found('customer=418')).toHaveLength(2);
    expect(await found('tenant=7001')).toEqual([]);
    expect(await found('since=510m&until=450m')).toEqual([everything[1]]);
    expect(await get('/announcements?since=yesterday')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('since must be a time like') },
    });
    expect((await get(`/announcements/${nobody}`)).body).toMatchObject({ destination: null, state: 'unwanted' });
  });
});

describeOnEither('the list of webhooks', (database) => {
  it('has those in every state, newest first, and finds them by what they are about', async () => {
    const store = await openIn(database);
    const { all, get, url } = await openAdmin({ store });
    const now = Date.now();
    await recordAs(store, orderOf('31'), { customerId: '418' });
    const entries = [
      { ...entryOf('31', 1, 'OrderCreate'), receivedAt: now - 9 * HOUR },
      { ...entryOf('32', 2, 'OrderPackComplete'), receivedAt: now - 5 * HOUR },
      { ...quarantinedEntry('3'), receivedAt: now - 3 * HOUR },
    ];
    for (const entry of entries) await store.inbox.add([entry]);
    await observe(store, '31');
    const found = async (query: string, limit = 50) =>
      (await all(`/webhooks?${query}`, limit)).map((it) => (it as { readonly eventId: string }).eventId);
    const [first, second, third] = entries.map(({ eventId }) => eventId);
    for (const limit of [1, 2, 50]) expect(await found('', limit)).toEqual([third, second, first]);
    expect(await found('state=recorded')).toEqual([first]);
    expect(await found('state=waiting')).toEqual([second]);
    expect(await found('state=quarantined')).toEqual([third]);
    expect(await found('event=OrderCreate')).toEqual([first]);
    expect(await found('event=OrderPack*')).toEqual([second]);
    expect(await found('event=OrderPack')).toEqual([]);
    expect(await found('kind=order')).toEqual([second, first]);
    expect(await found('kind=receipt')).toEqual([]);
    expect(await found('customer=418')).toEqual([first]);
    expect(await found('tenant=7001')).toEqual([]);
    expect(await found('since=4h')).toEqual([third]);
    expect(await found('since=6h&until=4h')).toEqual([second]);
    expect(await found('until=8h')).toEqual([first]);
    const { items } = (await get('/webhooks?limit=1')).body;
    expect((await get(`/webhooks/${items[0].id}`)).body).toMatchObject({ eventId: third, encoding: 'utf-8' });
    const page = await (await fetch(`${url}/board/webhooks?since=6h&state=waiting`)).text();
    expect(page).toContain('1 of 1 · <a href="/board/webhooks.csv?since=6h&amp;state=waiting">Download as CSV</a>');
    expect(page).toContain('<a href="/board/webhooks.csv?since=6h&amp;state=waiting&amp;excel=yes" title=');
    expect(page).toContain('<option value="waiting" selected>');
  });
});

describeOnEither('the list of subjects', (database) => {
  it('finds them by the time in their stage, and by when they were created or closed', async () => {
    let at = Date.now() - 10 * HOUR;
    const store = await openIn(database, { now: () => at });
    const { all, url } = await openAdmin({ store });
    for (const [id, facility] of [
      ['1', '12'],
      ['2', '13'],
      ['3', '12'],
    ] as const) {
      const snapshot = { status: 'open', facilityId: facility } as const;
      await recordAs(store, orderOf(id), { lifecycle: lifecycleAt(1, { snapshot }), stageSince: at });
      at += 3 * HOUR;
    }
    await store.db
      .updateTable('subjects')
      .set({ stage: 'confirmed', stage_since: Date.now() - HOUR })
      .where('subject_id', '=', '3')
      .execute();
    const found = async (query: string, limit = 50) =>
      (await all(`/subjects?${query}`, limit)).map((it) => (it as { readonly id: string }).id);
    for (const limit of [1, 2, 50]) {
      expect(await found('olderThan=1h', limit)).toEqual(['1', '2']);
      expect(await found('sort=created', limit)).toEqual(['3', '2', '1']);
    }
    expect(await found('olderThan=8h')).toEqual(['1']);
    expect(await found('createdSince=8h')).toEqual(['3', '2']);
    expect(await found('confirmedSince=2h')).toEqual(['3']);
    expect(await found('confirmedSince=30m')).toEqual([]);
    expect(await found('facility=12')).toEqual(['1', '3']);
    const page = await (await fetch(`${url}/board/subjects?olderThan=8h`)).text();
    expect(page).toContain('All that are open, longest in their stage first.');
    expect(page).toMatch(/1 of 1 · .*Refresh all 1…/s);
    expect(page).toContain('<input type="hidden" name="olderThan" value="20');
  });

  it.each([
    { carrier: 'UPS' },
    { facility: '13' },
    { id: '2', open: 'true' },
    { takenBy: 'ana', olderThan: '1h' },
    { customer: '419', createdSince: '9h' },
    { stage: 'created', attention: 'any' },
  ])('refreshes what it shows, and nothing else: %j', async (filters) => {
    const store = await openIn(database, { now: () => Date.now() - 2 * HOUR });
    const { post, url } = await openAdmin({ store });
    for (const [kind, id, carrier, facilityId, customerId] of [
      ['order', '1', 'FedEx', '12', '418'],
      ['order', '2', 'UPS', '13', '419'],
      ['receipt', '3', 'DHL', '12', '418'],
    ] as const) {
      const lifecycle = lifecycleAt(1, { snapshot: { status: 'open', facilityId } });
      const refused = id === '2' ? ([{ operation: 'getOrder', message: 'GET answered 404', since: 1 }] as const) : [];
      await recordAs(store, { ...order, kind, id }, { lifecycle, customerId, facts: { carrier }, refused });
      if (id !== '1') await store.taking.take({ ...order, kind, id }, 'ana');
    }
    const page = await (await fetch(`${url}/board/subjects?${new URLSearchParams(filters as never)}`)).text();
    const form = /<button>Refresh all 1…/.exec(page) && page.slice(page.lastIndexOf('<form class="bulk"'));
    const fields = [...(form ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    const { action, ...filter } = Object.fromEntries(fields);
    expect(filter).toMatchObject(Object.fromEntries(Object.keys(filters).map((name) => [name, expect.any(String)])));
    const { body } = await post('/bulk', { action, filter });
    expect(body).toMatchObject({ action: 'refresh', total: 1, sample: ['order:9104:2'] });
  });
});
