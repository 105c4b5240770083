import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../../src/app/store.ts';
import type { Lease, LeasedAnnouncement } from '../../../src/domain/outgoing.ts';
import { describeOnAll, describeOnBoth, describeOnPostgres, openIn, type TestDatabase } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { emptyFile, openTemporaryStore } from '../../store/temporary-store.ts';
import { announcementOf, lifecycleAt, order, orderOf, toDefault, unleased } from '../../support/make.ts';

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
describeOnAll('an announcement', (database) => {
  it('is leased as it was recorded, byte for byte', async () => {
    const store = await openIn(database, { now: () => 7_000 });
    const announcement = { ...announcementOf(1), body: '{"name":"Jörg \\u0000"}' };
    await recordAs(store, order, { announcements: [announcement] });
    const { summary: _summary, destinations: _destinations, ...sent } = announcement;
    expect(await store.outbox.lease(toDefault(first), 100)).toEqual({
      ...sent,
      destination: 'default',
      customerId: null,
      previous: null,
      isReplay: false,
      triedSince: 7_000,
      attempts: 0,
      leasedUntil: 7_100,
    });
  });

  it('is leased to one of several concurrent callers', async () => {
    const { outbox } = await openWith(database);
    const leases = await Promise.all(Array.from({ length: 10 }, () => outbox.lease(toDefault(first), 100)));
    expect(leases.filter((lease) => lease === 'leased')).toHaveLength(9);
    expect(leases).toContainEqual(expect.objectContaining({ id: first }));
  });

  it('can be leased again once its lease expires', async () => {
    const { outbox, clock } = await openWith(database);
    await outbox.lease(toDefault(first), 100);
    expect(await outbox.lease(toDefault(second), 100)).toMatchObject({ id: second });
    clock.now += 99;
    expect(await outbox.lease(toDefault(first), 100)).toBe('leased');
    clock.now += 1;
    expect(await outbox.lease(toDefault(first), 100)).toMatchObject({ id: first });
    expect(await outbox.lease(toDefault(first), 100)).toBe('leased');
  });

  it.each([
    ['two hours', 7_200_000],
    ['a year', 31_536_000_000],
  ])('is not held by a lease that was taken by a clock that was ahead by %s', async (_, aheadMs) => {
    const { outbox, clock, ...store } = await openWith(database);
    clock.now += aheadMs;
    await outbox.lease(toDefault(first), 15_000);
    const other = orderOf('2');
    await recordAs(store, other, { announcements: [announcementOf(1, other)], leaseMs: 15_000 });
    clock.now -= aheadMs;
    for (const id of [first, announcementOf(1, other).id])
      expect(await outbox.lease(toDefault(id), 15_000)).toMatchObject({ id, leasedUntil: clock.now + 15_000 });
    expect(await outbox.lease(toDefault(first), 15_000)).toBe('leased');
  });

  it('is held by a lease for no longer than its length, whatever its holder asked for', async () => {
    const { outbox, clock } = await openWith(database);
    await outbox.lease(toDefault(first), 15_000);
    // Another one with a shorter timeout must not take a lease that lasts longer than its own would.
    expect(await outbox.lease(toDefault(first), 100)).toBe('leased');
    clock.now += 15_000;
    expect(await outbox.lease(toDefault(first), 100)).toMatchObject({ id: first });
  });

  it('can be leased again once it is released', async () => {
    const { outbox } = await openWith(database);
    const [lease] = await Promise.all([first, second].map((id) => outbox.lease(toDefault(id), 100)));
    await outbox.release([]);
    await outbox.release([lease as LeasedAnnouncement]);
    expect(await outbox.lease(toDefault(first), 100)).toMatchObject({ id: first });
    expect(await outbox.lease(toDefault(second), 100)).toBe('leased');
  });

  it.each(['release', 'failed'] as const)('keeps its new lease when %s ends one that expired', async (end) => {
    const { outbox, clock } = await openWith(database);
    const expired = await outbox.lease(toDefault(first), 100);
    clock.now += 100;
    const current = await outbox.lease(toDefault(first), 100);
    const endLease = (lease: unknown) =>
      end === 'release'
        ? outbox.release([lease as Lease])
        : outbox.failed(lease as Lease, { outcome: 'failed', status: 503, ms: 1, error: 'busy' });
    await endLease(expired);
    expect(await outbox.lease(toDefault(first), 100)).toBe('leased');
    await endLease(current);
    expect(await outbox.lease(toDefault(first), 100)).toMatchObject({ id: first, attempts: end === 'failed' ? 2 : 0 });
  });

  it('recorded with a lease is released by that lease only', async () => {
    const store = await openIn(database);
    const { leases } = await recordAs(store, order, { announcements: [announcementOf(1)], leaseMs: 60_000 });
    await store.outbox.release([unleased(first), { ...unleased(first), leasedUntil: 1 }]);
    expect(await store.outbox.lease(toDefault(first), 100)).toBe('leased');
    await store.outbox.release(leases);
    expect(await store.outbox.lease(toDefault(first), 100)).toMatchObject({ id: first });
    expect((await recordAs(store, order)).leases).toEqual([]);
  });

  it('can be leased as it is recorded', async () => {
    const { outbox, clock } = await openWith(database, { leaseMs: 500 });
    clock.now += 499;
    expect(await outbox.lease(toDefault(first), 100)).toBe('leased');
    clock.now += 1;
    expect(await outbox.lease(toDefault(first), 100)).toMatchObject({ id: first });
  });

  it('cannot be leased once it is acknowledged or dead-lettered, nor if it is unknown', async () => {
    const { outbox } = await openWith(database);
    await outbox.sent(toDefault(first), { status: 204, ms: 12 });
    await outbox.deadLetter(toDefault(second), 'answered 410');
    for (const id of [first, second, 'unknown']) expect(await outbox.lease(toDefault(id), 100)).toBeUndefined();
  });

  it('loses its lease with a failed attempt, which is counted and stored', async () => {
    const { outbox, db } = await openWith(database);
    for (const attempts of [0, 1]) {
      const lease = await outbox.lease(toDefault(first), 100);
      expect(lease).toMatchObject({ attempts });
      await outbox.failed(lease as LeasedAnnouncement, {
        outcome: 'failed',
        status: 503,
        ms: 40 + attempts,
        error: 'busy',
      });
    }
    const row = db.selectFrom('outbox').selectAll().where('announcement', '=', first).executeTakeFirstOrThrow();
    expect(await row).toMatchObject({ attempts: 2, last_status: 503, last_ms: 41, last_error: 'busy', sent_at: null });
    await outbox.failed(unleased(first), { outcome: 'failed', status: null, ms: 1000, error: 'unreachable' });
    expect(await outbox.lease(toDefault(first), 100)).toMatchObject({ attempts: 3, triedSince: 1_000 });
    expect(await outbox.results('default', [first])).toEqual([]);
  });

  it('stays acknowledged, whatever fails afterwards', async () => {
    const { outbox, db, clock } = await openWith(database);
    await outbox.failed(unleased(first), { outcome: 'failed', status: 500, ms: 1, error: 'busy' });
    await outbox.sent(toDefault(first), { status: 202, ms: 30 });
    clock.now += 1;
    await outbox.sent(toDefault(first), { status: 200, ms: 31 });
    await outbox.failed(unleased(first), { outcome: 'failed', status: 503, ms: 32, error: 'late' });
    await outbox.deadLetter(toDefault(first), 'late');
    expect(await db.selectFrom('outbox').selectAll().where('announcement', '=', first).execute()).toMatchObject([
      { sent_at: 1_000, attempts: 2, last_status: 202, last_ms: 30, last_error: null, dead_lettered_at: null },
    ]);
  });

  it('that is dead-lettered marks its subject and does not hold back others', async () => {
    const { outbox, subjects, isUnannounced } = await openWith(database);
    await recordAs({ subjects }, orderOf('2'));
    await outbox.lease(toDefault(second), 100);
    expect(await isUnannounced()).toBe(false);
    await outbox.deadLetter(toDefault(second), 'answered 410');
    expect(await isUnannounced()).toBe(true);
    expect((await subjects.load(orderOf('2'), 0)).saved?.isUnannounced).toBe(false);
    expect(await subjects.unsent(order)).toEqual({ default: [first, third] });
  });

  it('that was acknowledged cannot be dead-lettered', async () => {
    const { outbox, isUnannounced } = await openWith(database);
    await outbox.sent(toDefault(first), { status: 200, ms: 1 });
    for (const id of [first, 'unknown']) await outbox.deadLetter(toDefault(id), 'late');
    expect(await isUnannounced()).toBe(false);
  });

  it('has a result once it is acknowledged or dead-lettered; results are in the order of revisions', async () => {
    const { outbox } = await openWith(database);
    await outbox.failed(unleased(second), { outcome: 'failed', status: 410, ms: 8, error: 'gone' });
    await outbox.deadLetter(toDefault(second), 'answered 410');
    await outbox.sent(toDefault(first), { status: 204, ms: 12 });
    expect(await outbox.results('default', [third, second, first])).toEqual([
      { id: first, status: 204, ms: 12, attempts: 1 },
      { id: second, status: 410, ms: 8, attempts: 1, deadLettered: 'answered 410' },
    ]);
    expect(await outbox.results('default', [])).toEqual([]);
  });
});

describeOnBoth('an announcement that went out without records', (database) => {
  it('says so in its result', async () => {
    const { outbox } = await openWith(database);
    await outbox.sent(toDefault(first), { status: 204, ms: 12, leftOut: ['order', 'customer'] });
    await outbox.sent(toDefault(second), { status: 204, ms: 12 });
    const result = { status: 204, ms: 12, attempts: 1 };
    expect(await outbox.results('default', [first, second])).toEqual([
      { id: first, ...result, leftOut: ['order', 'customer'] },
      { id: second, ...result },
    ]);
  });
});

it.each([0, 31_536_000_000])(
  'is free once its process has started again, on SQLite; ahead by %i ms',
  async (aheadMs) => {
    const file = await emptyFile();
    const before = await openStore({ file, now: () => Date.now() + aheadMs });
    await recordAs(before, order, { announcements: [announcementOf(1), announcementOf(2)], leaseMs: 3_600_000 });
    await before.outbox.release([unleased(second)]);
    await before.outbox.lease(toDefault(second), 3_600_000);
    await before.close();
    const after = await openTemporaryStore({ file });
    for (const id of [first, second]) expect(await after.outbox.lease(toDefault(id), 15_000)).toMatchObject({ id });
  },
);

describeOnPostgres('an announcement whose processes disagree about the time, on PostgreSQL', (database) => {
  /** Sets the clock of this process, and not that of the database. */
  function setClock(aheadMs: number): void {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
    onTestFinished(() => void vi.useRealTimers());
  }

  it.each([
    ['ahead', 31_536_000_000],
    ['behind', -31_536_000_000],
  ])('is leased by the clock of the database: one is a year %s', async (_, aheadMs) => {
    const store = await openIn(database);
    const { rows } = await sql<{ now: number }>`select ${store.clock()} as now`.execute(store.db);
    const now = rows[0]?.now ?? 0;
    setClock(aheadMs);
    const { leases } = await recordAs(store, order, {
      lifecycle: lifecycleAt(2),
      announcements: [announcementOf(1), announcementOf(2)],
      leaseMs: 15_000,
    });
    expect(await store.outbox.lease(toDefault(second), 15_000)).toBe('leased');
    await store.outbox.release(leases.filter(({ id }) => id === second));
    expect(await store.outbox.lease(toDefault(second), 15_000)).toMatchObject({ id: second });
    vi.useRealTimers();
    for (const id of [first, second]) expect(await store.outbox.lease(toDefault(id), 15_000)).toBe('leased');
    const held = await store.db.selectFrom('outbox').select('leased_until').execute();
    for (const { leased_until: end } of held) {
      expect(end).toBeGreaterThanOrEqual(now + 15_000);
      expect(end).toBeLessThan(now + 60_000);
    }
    await store.db
      .updateTable('outbox')
      .set(({ eb }) => ({ leased_until: eb('leased_until', '-', 60_000) }))
      .execute();
    for (const id of [first, second]) expect(await store.outbox.lease(toDefault(id), 15_000)).toMatchObject({ id });
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
      const leases = await Promise.all(stores.map(({ outbox }) => outbox.lease(toDefault(id), 100)));
      expect(leases.filter((lease) => lease === 'leased')).toHaveLength(2);
    }
  });
});
