import { expect, inject, it } from 'vitest';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { createDeadLetters } from '../../src/store/tables/dead-letters.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { toDefault } from '../support/make.ts';
import { openAdmin } from './open-admin.ts';
import { record, refOf } from './record.ts';

const refusal = { operation: 'getUser', message: 'GET answered 404', since: 1 } as const;
const at = Date.UTC(2026, 1, 11);
const stalled = { attention: { milestone: 'stalled', time: at, eventId: null } } as const;
const picked = { pick: { milestone: 'picked', time: at, eventId: '9104:1' } } as const;
const ofCustomer = (customerId: string) => ({ customerId, referenceNumber: 'R31' }) as Snapshot;

describeOnEither('subjects', (database) => {
  it('are listed with their state, and without bodies', async () => {
    const store = await openIn(database, { now: () => at });
    const subject = { registers: picked, snapshot: ofCustomer('418'), lastEventTime: at, stageSince: at - 60_000 };
    await record(store, 'order:9104:31', subject);
    const { get } = await openAdmin({ store });
    expect(await get('/subjects')).toEqual({
      status: 200,
      type: 'application/json',
      body: {
        items: [
          {
            tenant: '9104',
            kind: 'order',
            id: '31',
            stage: 'picked',
            stageSince: '2026-02-10T23:59:00.000Z',
            attention: [],
            refused: [],
            retrieving: null,
            announcing: null,
            revision: 1,
            referenceNumber: 'R31',
            customerId: '418',
            facilityId: null,
            facts: {},
            dueAt: null,
            atRiskAt: null,
            dueBecause: null,
            takenBy: null,
            takenAt: null,
            noteCount: 0,
            lastEventAt: '2026-02-11T00:00:00.000Z',
            createdAt: '2026-02-11T00:00:00.000Z',
            updatedAt: '2026-02-11T00:00:00.000Z',
          },
        ],
        next: null,
      },
    });
  });

  it('are listed with every reason for attention, and with failing operations', async () => {
    let now = at;
    const store = await openIn(database, { now: () => now });
    const key = 'order:9104:31';
    const [id = ''] = await record(store, key, { registers: stalled, refused: [refusal] });
    await store.outbox.deadLetter(toDefault(id), 'answered 503');
    for (const error of ['answered 500', 'answered 503']) {
      const failure = { operation: 'getOrder', error, nextTryAt: now + 5000 };
      await store.troubles.note(refOf(key), 'retrieving', failure);
      now += 1000;
    }
    const { get } = await openAdmin({ store });
    expect((await get('/subjects')).body.items).toMatchObject([
      {
        attention: ['stalled', 'refused', 'unannounced', 'failing'],
        refused: ['getUser: GET answered 404'],
        retrieving: {
          operation: 'getOrder',
          attempts: 2,
          error: 'answered 503',
          since: '2026-02-11T00:00:00.000Z',
          nextTryAt: '2026-02-11T00:00:06.000Z',
        },
        announcing: null,
      },
    ]);
    await store.troubles.end(refOf(key), 'retrieving');
    expect((await get('/subjects')).body.items).toMatchObject([
      { attention: ['stalled', 'refused', 'unannounced'], retrieving: null },
    ]);
  });

  it.each([
    ['?kind=receipt', ['receipt:9104:31']],
    ['?tenant=7001', ['order:7001:31']],
    ['?stage=picked', ['order:9104:32', 'order:9104:33']],
    ['?customer=418', ['order:9104:32']],
    ['?attention=stalled', ['order:9104:33', 'order:9104:35']],
    ['?attention=refused', ['order:9104:35']],
    ['?attention=unannounced', ['order:9104:34', 'order:9104:35']],
    ['?attention=failing', ['order:9104:35', 'order:9104:36', 'order:9104:37']],
    ['?kind=order&id=31', ['order:7001:31', 'order:9104:31']],
    ['?kind=order&stage=picked&attention=stalled&tenant=9104', ['order:9104:33']],
    ['?attention=any&kind=order&tenant=9104', ['33', '34', '35', '36', '37'].map((id) => `order:9104:${id}`)],
    ['?group=stalled:picked', ['order:9104:33']],
    ['?stage=packed', []],
  ])('are listed by %s', async (query, expected) => {
    const store = await openIn(database);
    for (const key of ['order:7001:31', 'order:9104:31', 'receipt:9104:31', 'order:9104:34']) await record(store, key);
    await record(store, 'order:9104:32', { registers: picked, snapshot: ofCustomer('418') });
    await record(store, 'order:9104:33', { registers: { ...picked, ...stalled } });
    await record(store, 'order:9104:35', { registers: stalled, refused: [refusal] });
    for (const id of ['34', '35', '31'])
      await store.outbox.deadLetter(toDefault(`order:9104:${id}/1/created`), 'answered 503');
    await createDeadLetters(store).requeue(['order:9104:31/1/created']);
    await store.outbox.sent(toDefault('order:9104:31/1/created'), { status: 204, ms: 1 });
    const failure = { operation: 'any', error: 'answered 503', nextTryAt: at };
    await store.troubles.note(refOf('order:9104:35'), 'announcing', failure);
    await store.troubles.note(refOf('order:9104:36'), 'retrieving', failure);
    await store.troubles.note(refOf('order:9104:37'), 'announcing', failure);
    const { all } = await openAdmin({ store });
    const items = (await all(`/subjects${query}`, 500)) as { kind: string; tenant: string; id: string }[];
    expect(items.map(({ kind, tenant, id }) => `${kind}:${tenant}:${id}`)).toEqual(expected);
  });

  it('are listed by the time in their stage, page by page, and of those only the open ones', async () => {
    const store = await openIn(database);
    const stageSince = at - 60_000;
    for (const id of ['1', '2', '3'])
      await record(store, `order:9104:${id}`, { stageSince: id === '2' ? at - 90_000 : stageSince });
    const closing = { milestone: 'confirmed', time: at, eventId: null } as const;
    await record(store, 'order:9104:4', { stageSince: 0, registers: { closing } });
    const { all } = await openAdmin({ store });
    const idsOf = async (query: string) =>
      ((await all(`/subjects?kind=order&${query}`, 1)) as { id: string }[]).map(({ id }) => id);
    expect(await idsOf('open=true&sort=oldest')).toEqual(['2', '1', '3']);
    expect(await idsOf('stage=created&sort=newest')).toEqual(['3', '1', '2']);
  });

  it('are listed page by page, each one once', async () => {
    const store = await openIn(database);
    const keys = [
      'order:1:1',
      'order:1:2',
      'stock:1:12.7001.',
      'stock:1:12.7001.RED',
      'hold:2:1',
      'item:2:1',
      'order:2:1',
    ];
    for (const key of keys) await record(store, key);
    const { all, get } = await openAdmin({ store });
    for (const limit of [1, 2, 3, 7]) {
      const items = (await all('/subjects', limit)) as { kind: string; tenant: string; id: string }[];
      expect(items.map(({ kind, tenant, id }) => `${kind}:${tenant}:${id}`).toSorted()).toEqual(keys.toSorted());
    }
    expect((await get('/subjects?limit=2')).body.items).toHaveLength(2);
  });

  it('are shown with their lifecycle and announcements, even while Temporal is away', async () => {
    const store = await openIn(database, { now: () => at });
    const [id = ''] = await record(store, 'order:9104:31', { registers: stalled });
    await store.outbox.failed(
      { ...toDefault(id), previous: null, isReplay: false, leasedUntil: null },
      { outcome: 'failed', status: 503, ms: 12, error: 'POST answered 503' },
    );
    const failure = { operation: 'announce', error: 'POST answered 503', nextTryAt: at + 5000 };
    await store.troubles.note(refOf('order:9104:31'), 'announcing', failure);
    const { get } = await openAdmin({ store });
    const { status, body } = await get('/subjects/9104/order/31');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      stage: 'created',
      attention: ['stalled', 'failing'],
      lifecycle: { registers: stalled },
      announcing: { operation: 'announce', attempts: 1, error: 'POST answered 503', since: '2026-02-11T00:00:00.000Z' },
      announcements: [
        {
          id,
          subject: 'order:9104:31',
          state: 'unsent',
          attempts: 1,
          lastStatus: 503,
          lastError: 'POST answered 503',
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('Jane');
  });

  it('are shown with the progress of each line if they are orders', async () => {
    const store = await openIn(database);
    const line = { milestone: 'itemPicked', time: at, eventId: '9104:2' } as const;
    const snapshot = { ...ofCustomer('418'), lineCount: 3 };
    await record(store, 'order:9104:31', { registers: { 'itemPick:70': line }, snapshot });
    await record(store, 'receipt:9104:31');
    const { get } = await openAdmin({ store, temporalAddress: inject('temporalAddress') });
    expect((await get('/subjects/9104/order/31')).body).toMatchObject({
      progress: { lines: 3, picked: 1, packed: 0, byLine: { 70: { picked: true, packed: false } } },
    });
    expect((await get('/subjects/9104/receipt/31')).body.progress).toBeNull();
  });

  it('are not found if they do not exist, and cannot be acted on while Temporal is away', async () => {
    const store = await openIn(database);
    await record(store, 'order:9104:31');
    const { get, post } = await openAdmin({ store });
    expect(await get('/subjects/9104/order/32')).toMatchObject({ status: 404, type: 'application/problem+json' });
    expect(await post('/subjects/9104/order/32/refresh')).toMatchObject({ status: 404 });
    for (const action of ['release', 'undo-release'])
      expect(await post(`/subjects/9104/order/31/${action}`)).toMatchObject({
        status: 503,
        body: { detail: 'Temporal does not answer now.' },
      });
  });
});
