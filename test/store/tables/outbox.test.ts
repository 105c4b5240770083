import { expect, it } from 'vitest';
import type { Lease, LeasedAnnouncement } from '../../../activities/ports/announcing.ts';
import { describeOnAll, describeOnBoth, describeOnPostgres, openIn, type TestDatabase } from '../databases.ts';
import { announcementOf, lifecycleAt, order, recordAs } from '../recordings.ts';

const idOf = (revision: number) => announcementOf(revision).id;
const [first, second, third] = [1, 2, 3].map(idOf) as [string, string, string];

/** Opens a store with a manual clock and an order with three announcements. */
async function openWith(database: TestDatabase, { leaseMs }: { readonly leaseMs?: number } = {}) {
  const clock = { now: 1_000 };
  const store = await openIn(database, { now: () => clock.now });
  const announcements = [1, 2, 3].map((revision) => announcementOf(revision));
  await recordAs(store, order, { lifecycle: lifecycleAt(3), announcements, ...(leaseMs && { leaseMs }) });
  const isUnannounced = async () => (await store.subjects.load(order, 0)).saved?.isUnannounced;
  return { ...store, clock, isUnannounced };
}

/** Names an announcement without a lease. */
const unleased = (id: string): Lease => ({ id, leasedUntil: null });

describeOnAll('an announcement', (database) => {
  it('is leased as it was recorded, byte for byte', async () => {
    const store = await openIn(database, { now: () => 7_000 });
    const announcement = { ...announcementOf(1), body: '{"name":"Jörg \\u0000"}' };
    await recordAs(store, order, { announcements: [announcement] });
    const { summary: _summary, ...sent } = announcement;
    expect(await store.outbox.lease(first, 100)).toEqual({
      ...sent,
      triedSince: 7_000,
      attempts: 0,
      leasedUntil: 7_100,
    });
  });

  it('is leased to one of several concurrent callers', async () => {
    const { outbox } = await openWith(database);
    const leases = await Promise.all(Array.from({ length: 10 }, () => outbox.lease(first, 100)));
    expect(leases.filter((lease) => lease === 'leased')).toHaveLength(9);
    expect(leases).toContainEqual(expect.objectContaining({ id: first }));
  });

  it('can be leased again once its lease expires', async () => {
    const { outbox, clock } = await openWith(database);
    await outbox.lease(first, 100);
    expect(await outbox.lease(second, 100)).toMatchObject({ id: second });
    clock.now += 99;
    expect(await outbox.lease(first, 100)).toBe('leased');
    clock.now += 1;
    expect(await outbox.lease(first, 100)).toMatchObject({ id: first });
    expect(await outbox.lease(first, 100)).toBe('leased');
  });

  it('can be leased again once it is released', async () => {
    const { outbox } = await openWith(database);
    const [lease] = await Promise.all([first, second].map((id) => outbox.lease(id, 100)));
    await outbox.release([]);
    await outbox.release([lease as LeasedAnnouncement]);
    expect(await outbox.lease(first, 100)).toMatchObject({ id: first });
    expect(await outbox.lease(second, 100)).toBe('leased');
  });

  it.each(['release', 'failed'] as const)('keeps its new lease when %s ends one that expired', async (end) => {
    const { outbox, clock } = await openWith(database);
    const expired = await outbox.lease(first, 100);
    clock.now += 100;
    const current = await outbox.lease(first, 100);
    const endLease = (lease: unknown) =>
      end === 'release'
        ? outbox.release([lease as Lease])
        : outbox.failed(lease as Lease, { status: 503, ms: 1, error: 'busy' });
    await endLease(expired);
    expect(await outbox.lease(first, 100)).toBe('leased');
    await endLease(current);
    expect(await outbox.lease(first, 100)).toMatchObject({ id: first, attempts: end === 'failed' ? 2 : 0 });
  });

  it('recorded with a lease is released by that lease only', async () => {
    const store = await openIn(database);
    const { leasedUntil } = await recordAs(store, order, { announcements: [announcementOf(1)], leaseMs: 60_000 });
    await store.outbox.release([unleased(first), { id: first, leasedUntil: 1 }]);
    expect(await store.outbox.lease(first, 100)).toBe('leased');
    await store.outbox.release([{ id: first, leasedUntil }]);
    expect(await store.outbox.lease(first, 100)).toMatchObject({ id: first });
    expect((await recordAs(store, order)).leasedUntil).toBeNull();
  });

  it('can be leased as it is recorded', async () => {
    const { outbox, clock } = await openWith(database, { leaseMs: 500 });
    clock.now += 499;
    expect(await outbox.lease(first, 100)).toBe('leased');
    clock.now += 1;
    expect(await outbox.lease(first, 100)).toMatchObject({ id: first });
  });

  it('cannot be leased once it is acknowledged or dead-lettered, nor if it is unknown', async () => {
    const { outbox } = await openWith(database);
    await outbox.sent(first, { status: 204, ms: 12 });
    await outbox.deadLetter(second, 'answered 410');
    for (const id of [first, second, 'unknown']) expect(await outbox.lease(id, 100)).toBeUndefined();
  });

  it('loses its lease with a failed attempt, which is counted and stored', async () => {
    const { outbox, db } = await openWith(database);
    for (const attempts of [0, 1]) {
      const lease = await outbox.lease(first, 100);
      expect(lease).toMatchObject({ attempts });
      await outbox.failed(lease as LeasedAnnouncement, { status: 503, ms: 40 + attempts, error: 'busy' });
    }
    const row = db.selectFrom('announcements').selectAll().where('id', '=', first).executeTakeFirstOrThrow();
    expect(await row).toMatchObject({ attempts: 2, last_status: 503, last_ms: 41, last_error: 'busy', sent_at: null });
    await outbox.failed(unleased(first), { status: null, ms: 1000, error: 'unreachable' });
    expect(await outbox.lease(first, 100)).toMatchObject({ attempts: 3, triedSince: 1_000 });
    expect(await outbox.results([first])).toEqual([]);
  });

  it('stays acknowledged, whatever fails afterwards', async () => {
    const { outbox, db, clock } = await openWith(database);
    await outbox.failed(unleased(first), { status: 500, ms: 1, error: 'busy' });
    await outbox.sent(first, { status: 202, ms: 30 });
    clock.now += 1;
    await outbox.sent(first, { status: 200, ms: 31 });
    await outbox.failed(unleased(first), { status: 503, ms: 32, error: 'late' });
    await outbox.deadLetter(first, 'late');
    expect(await db.selectFrom('announcements').selectAll().where('id', '=', first).execute()).toMatchObject([
      { sent_at: 1_000, attempts: 2, last_status: 202, last_ms: 30, last_error: null, dead_lettered_at: null },
    ]);
  });

  it('that is dead-lettered marks its subject and does not hold back others', async () => {
    const { outbox, subjects, isUnannounced } = await openWith(database);
    await recordAs({ subjects }, { ...order, id: '2' });
    await outbox.lease(second, 100);
    expect(await isUnannounced()).toBe(false);
    await outbox.deadLetter(second, 'answered 410');
    expect(await isUnannounced()).toBe(true);
    expect((await subjects.load({ ...order, id: '2' }, 0)).saved?.isUnannounced).toBe(false);
    expect(await subjects.unsent(order)).toEqual([first, third]);
  });

  it('that was acknowledged cannot be dead-lettered', async () => {
    const { outbox, isUnannounced } = await openWith(database);
    await outbox.sent(first, { status: 200, ms: 1 });
    for (const id of [first, 'unknown']) await outbox.deadLetter(id, 'late');
    expect(await isUnannounced()).toBe(false);
  });

  it('has a result once it is acknowledged or dead-lettered; results are in the order of revisions', async () => {
    const { outbox } = await openWith(database);
    await outbox.failed(unleased(second), { status: 410, ms: 8, error: 'gone' });
    await outbox.deadLetter(second, 'answered 410');
    await outbox.sent(first, { status: 204, ms: 12 });
    expect(await outbox.results([third, second, first])).toEqual([
      { id: first, status: 204, ms: 12, attempts: 1 },
      { id: second, status: 410, ms: 8, attempts: 1, deadLettered: 'answered 410' },
    ]);
    expect(await outbox.results([])).toEqual([]);
  });
});

describeOnBoth('overdue announcements', (database) => {
  const beginning = { at: 0, id: '' };

  it('are returned from a given age, oldest first, page by page', async () => {
    const { outbox, clock, ...store } = await openWith(database);
    clock.now = 1_500;
    const other = { tenant: '9105', kind: 'receipt', id: '7' } as const;
    await recordAs(store, other, { announcements: [announcementOf(1, other)] });
    const place = (id: string) => ({ at: 1_000, id, subject: order });
    expect(await outbox.overdue(501, beginning, 10)).toEqual([]);
    expect(await outbox.overdue(500, beginning, 10)).toEqual([first, second, third].map(place));
    clock.now = 2_000;
    const page = await outbox.overdue(500, beginning, 2);
    expect(page).toEqual([first, second].map(place));
    expect(await outbox.overdue(500, page.at(-1) ?? beginning, 2)).toEqual([
      place(third),
      { at: 1_500, id: announcementOf(1, other).id, subject: other },
    ]);
  });

  it('are neither acknowledged nor dead-lettered, but may be leased', async () => {
    const { outbox, clock } = await openWith(database);
    await outbox.sent(first, { status: 200, ms: 1 });
    await outbox.deadLetter(second, 'answered 410');
    await outbox.lease(third, 1_000_000);
    clock.now += 1_000;
    expect((await outbox.overdue(1_000, beginning, 10)).map(({ id }) => id)).toEqual([third]);
  });
});

describeOnPostgres('an announcement of several processes, on PostgreSQL', (database) => {
  it('is leased to one of them at a time', async () => {
    const location = await database.locate();
    const stores = await Promise.all([1, 2, 3].map(() => openIn(database, { location, now: () => 1_000 })));
    const [one] = stores;
    const revisions = Array.from({ length: 30 }, (_, n) => n + 1);
    const announcements = revisions.map((revision) => announcementOf(revision));
    if (one) await recordAs(one, order, { lifecycle: lifecycleAt(30), announcements });
    for (const id of revisions.map(idOf)) {
      const leases = await Promise.all(stores.map(({ outbox }) => outbox.lease(id, 100)));
      expect(leases.filter((lease) => lease === 'leased')).toHaveLength(2);
    }
  });
});
