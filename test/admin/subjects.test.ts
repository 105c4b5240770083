import { describe, expect, it } from 'vitest';
import { unknownLifecycle } from '../../src/domain/lifecycle.ts';
import type { Snapshot } from '../../src/domain/snapshot.ts';
import type { SubjectKind } from '../../src/domain/subject.ts';
import type { Store } from '../../src/store/store.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { openAdmin } from './open-admin.ts';

const at = Date.UTC(2026, 1, 11);
const stalled = { attention: { milestone: 'stalled', time: at, eventId: null } } as const;
const picked = { pick: { milestone: 'picked', time: at, eventId: '9104:1' } } as const;

/** Records a subject of which little is known. */
async function record(
  { subjects }: Store,
  key: string,
  { registers = {}, customerId }: { registers?: object; customerId?: string } = {},
): Promise<void> {
  const [kind, tenant = '', id = ''] = key.split(':');
  const snapshot = customerId ? ({ customerId, referenceNumber: `R${id}` } as Snapshot) : null;
  const lifecycle = { ...unknownLifecycle, revision: 1, registers, snapshot, lastEventTime: at };
  const subject = { kind: kind as SubjectKind, tenant, id };
  await subjects.record(subject, lifecycle, [{ id: `${key}/1/created`, revision: 1, body: '{"secret":"body"}' }]);
}

describeOnBoth('subjects', (database) => {
  it('are listed with where they stand, and without bodies', async () => {
    const store = await openIn(database, { now: () => at });
    await record(store, 'order:9104:31', { registers: picked, customerId: '418' });
    const { get } = await openAdmin({ store });
    expect(await get('/subjects')).toEqual({
      status: 200,
      type: 'application/json',
      body: {
        items: [
          {
            ...{ tenant: '9104', kind: 'order', id: '31', stage: 'picked', attention: null, revision: 1 },
            ...{ referenceNumber: 'R31', customerId: '418', facilityId: null },
            ...{ lastEventAt: '2026-02-11T00:00:00.000Z', updatedAt: '2026-02-11T00:00:00.000Z' },
          },
        ],
        next: null,
      },
    });
  });

  it.each([
    ['?kind=receipt', ['receipt:9104:31']],
    ['?tenant=7001', ['order:7001:31']],
    ['?stage=picked', ['order:9104:32', 'order:9104:33']],
    ['?customer=418', ['order:9104:32']],
    ['?attention=stalled', ['order:9104:33']],
    ['?attention=unannounced', ['order:9104:34']],
    ['?kind=order&id=31', ['order:7001:31', 'order:9104:31']],
    ['?kind=order&stage=picked&attention=stalled&tenant=9104', ['order:9104:33']],
    ['?stage=packed', []],
  ])('are listed by %s', async (query, expected) => {
    const store = await openIn(database);
    for (const key of ['order:7001:31', 'order:9104:31', 'receipt:9104:31', 'order:9104:34']) await record(store, key);
    await record(store, 'order:9104:32', { registers: picked, customerId: '418' });
    await record(store, 'order:9104:33', { registers: { ...picked, ...stalled } });
    await store.outbox.park(['order:9104:34/1/created', 'order:9104:31/1/created'], 'answered 503');
    await store.outbox.markSent(['order:9104:31/1/created']);
    const { all } = await openAdmin({ store });
    const items = (await all(`/subjects${query}`, 500)) as { kind: string; tenant: string; id: string }[];
    expect(items.map(({ kind, tenant, id }) => `${kind}:${tenant}:${id}`)).toEqual(expected);
  });

  it('are listed page by page, each once', async () => {
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
    await record(store, 'order:9104:31', { registers: stalled });
    const { get } = await openAdmin({ store });
    const { status, body } = await get('/subjects/9104/order/31');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ stage: 'created', attention: 'stalled', lifecycle: { registers: stalled } },
      ...{ live: null, liveProblem: 'Temporal does not answer, or no worker does.' },
      announcements: [{ id: 'order:9104:31/1/created', subject: 'order:9104:31', state: 'unsent' }],
    });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it('cannot be shown or acted on where there are none, nor acted on while Temporal is away', async () => {
    const store = await openIn(database);
    await record(store, 'order:9104:31');
    const { get, post } = await openAdmin({ store });
    expect(await get('/subjects/9104/order/32')).toMatchObject({ status: 404, type: 'application/problem+json' });
    expect(await post('/subjects/9104/order/32/refresh')).toMatchObject({ status: 404 });
    expect(await post('/subjects/9104/order/31/release')).toMatchObject({
      status: 503,
      body: { detail: 'Temporal does not answer now.' },
    });
    expect(await get('/subjects?attention=refused')).toMatchObject({ status: 503 });
  });
});

describe('what is asked for wrongly', () => {
  it.each([
    ['/subjects?kind=parcel', /^kind: .*"order"\|"receipt"/],
    ['/subjects?stage=lost', /^stage: /],
    ['/subjects?attention=needed', /^attention: /],
    ['/subjects?limit=0', /^limit: /],
    ['/subjects?limit=501', /^limit: /],
    ['/subjects?limit=many', /^limit: /],
    ['/subjects?after=somewhere', /^after: must be the "next" of an earlier page$/],
    ['/subjects?costumer=418', /"costumer"/],
    ['/subjects/9104/parcel/31', /^kind: /],
    ['/subjects/%/order/31', /address/],
  ])('%s is refused with the reason', async (path, detail) => {
    const { get } = await openAdmin({ store: await openTemporaryStore() });
    const { status, type, body } = await get(path);
    expect({ status, type }).toEqual({ status: 400, type: 'application/problem+json' });
    expect(body.detail).toMatch(detail);
  });
});
