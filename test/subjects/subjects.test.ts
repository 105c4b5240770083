import { expect, inject, it } from 'vitest';
import type { Snapshot } from '../../src/domain/lifecycle/snapshot.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { record, refOf } from '../destinations/record.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { unleased } from '../support/make.ts';

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
            dueZone: null,
            outlook: null,
            forecast: null,
            takenBy: null,
            takenAt: null,
            lastEventAt: '2026-02-11T00:00:00.000Z',
            createdAt: '2026-02-11T00:00:00.000Z',
            updatedAt: '2026-02-11T00:00:00.000Z',
          },
        ],
        next: null,
      },
    });
  });

  it('are shown with their lifecycle and announcements, even while Temporal is away', async () => {
    const store = await openIn(database, { now: () => at });
    const [id = ''] = await record(store, 'order:9104:31', { registers: stalled });
    await store.outbox.failed(unleased(id), { outcome: 'failed', status: 503, ms: 12, error: 'POST answered 503' });
    const failure = { operation: 'announce', error: 'POST answered 503', nextTryAt: at + 5000 };
    await store.activityFailures.note(refOf('order:9104:31'), 'announcing', failure);
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
