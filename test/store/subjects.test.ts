import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { type Lifecycle, unknownLifecycle } from '../../src/domain/lifecycle.ts';
import type { Store } from '../../src/store/store.ts';
import { describeOnBoth, describeOnPostgres, openIn } from './databases.ts';

const order = { tenant: '9104', kind: 'order', id: '31004581' } as const;

const lifecycleAt = (revision: number, rest: Partial<Lifecycle> = {}): Lifecycle => ({
  ...unknownLifecycle,
  revision,
  lastEventTime: revision * 1000,
  ...rest,
});

const announcementOf = (revision: number) => ({
  id: `order:9104:31004581/${revision}/updated`,
  revision,
  body: `{"n":${revision}}`,
});

describeOnBoth('orders', (database) => {
  it('gives back the lifecycle that was recorded', async () => {
    const { subjects } = await openIn(database);
    const lifecycle = lifecycleAt(2, { seen: ['9104:1'] });
    await subjects.record(order, lifecycle, []);
    expect(await subjects.recall(order)).toEqual({ lifecycle, unsent: [], parked: [] });
  });

  it('knows nothing of an order that was never recorded', async () => {
    const { subjects } = await openIn(database);
    expect(await subjects.recall(order)).toBeUndefined();
  });

  it('changes nothing when the same is recorded again', async () => {
    let time = 1;
    const { subjects, db } = await openIn(database, { now: () => time });
    await subjects.record(order, lifecycleAt(1), [announcementOf(1)]);
    const before = [
      await db.selectFrom('subjects').selectAll().execute(),
      await db.selectFrom('announcements').selectAll().execute(),
    ];
    time = 2;
    await subjects.record(order, lifecycleAt(1), [{ ...announcementOf(1), body: 'changed' }]);
    const after = [
      await db.selectFrom('subjects').selectAll().execute(),
      await db.selectFrom('announcements').selectAll().execute(),
    ];
    expect(after).toEqual(before);
  });

  it('keeps the newer revision when an older one comes late', async () => {
    const { subjects } = await openIn(database);
    await subjects.record(order, lifecycleAt(5), []);
    await subjects.record(order, lifecycleAt(4), []);
    expect((await subjects.recall(order))?.lifecycle.revision).toBe(5);
  });

  it('takes in what a lifecycle learned without a new revision', async () => {
    const { subjects } = await openIn(database);
    await subjects.record(order, lifecycleAt(1), []);
    await subjects.record(order, lifecycleAt(1, { seen: ['9104:7'] }), []);
    expect((await subjects.recall(order))?.lifecycle.seen).toEqual(['9104:7']);
  });

  it('recalls unsent announcements in the order of their revisions, across digits', async () => {
    const { subjects, outbox } = await openIn(database);
    await subjects.record(order, lifecycleAt(10), [10, 9, 2].map(announcementOf));
    await outbox.markSent([announcementOf(9).id]);
    expect((await subjects.recall(order))?.unsent).toEqual([announcementOf(2).id, announcementOf(10).id]);
  });

  it('keeps orders with the same id of two tenants apart', async () => {
    const { subjects } = await openIn(database);
    await subjects.record(order, lifecycleAt(3), [announcementOf(3)]);
    expect(await subjects.recall({ ...order, tenant: '9105' })).toBeUndefined();
  });

  it('records neither the order nor its announcements when nothing can be written, and says so by its code', async () => {
    const store = await openIn(database);
    const release = await database.refuseWrites(store);
    const large = { ...announcementOf(1), body: 'x'.repeat(100_000) };
    await expect(store.subjects.record(order, lifecycleAt(1), [large])).rejects.toMatchObject({
      name: 'DocklineError',
      code: 'ERR_STORE_UNAVAILABLE',
    });
    expect(await store.subjects.recall(order)).toBeUndefined();
    await release();
    await store.subjects.record(order, lifecycleAt(1), [large]);
    expect((await store.subjects.recall(order))?.unsent).toEqual([large.id]);
  });
});

/** What a run of its own mind would record under the same revision: another event led to it. */
const otherwise = (revision: number) => ({
  lifecycle: lifecycleAt(revision, { seen: ['9104:other'] }),
  announcement: { ...announcementOf(revision), id: `order:9104:31004581/${revision}/packed` },
});

const rowsOf = async ({ db }: Store) => [
  await db.selectFrom('subjects').selectAll().execute(),
  await db.selectFrom('announcements').selectAll().orderBy('id').execute(),
];

describeOnBoth('a revision', (database) => {
  it('is recorded without a word, and so is the same again', async () => {
    const { subjects } = await openIn(database);
    for (let time = 0; time < 2; time += 1) {
      expect(await subjects.record(order, lifecycleAt(2), [1, 2].map(announcementOf))).toBeUndefined();
    }
    expect(await subjects.record(order, lifecycleAt(2), [])).toBeUndefined();
  });

  it('stands as it was recorded first, and whoever has another one is told of it and of what is unsent', async () => {
    let time = 1;
    const store = await openIn(database, { now: () => time });
    const { subjects, outbox } = store;
    await subjects.record(order, lifecycleAt(3), [1, 2, 3].map(announcementOf));
    await outbox.markSent([announcementOf(1).id]);
    await outbox.park([announcementOf(2).id], 'answered 503');
    const before = await rowsOf(store);
    time = 2;
    const stands = {
      lifecycle: lifecycleAt(3),
      unsent: [announcementOf(3).id],
      parked: [announcementOf(2).id],
    };
    for (const revision of [1, 2, 3]) {
      const { lifecycle, announcement } = otherwise(revision);
      expect(await subjects.record(order, lifecycle, [announcement])).toEqual(stands);
    }
    expect(await rowsOf(store)).toEqual(before);
  });

  it('keeps out those after it, too, where it is not the one that stands', async () => {
    const store = await openIn(database);
    await store.subjects.record(order, lifecycleAt(2), [1, 2].map(announcementOf));
    const before = await rowsOf(store);
    const others = [2, 3, 4].map((revision) => otherwise(revision).announcement);
    expect(await store.subjects.record(order, otherwise(4).lifecycle, others)).toMatchObject({
      lifecycle: { revision: 2 },
      unsent: [1, 2].map((revision) => announcementOf(revision).id),
    });
    expect(await rowsOf(store)).toEqual(before);
  });

  it('follows on the one that stands', async () => {
    const { subjects } = await openIn(database);
    await subjects.record(order, lifecycleAt(2), [1, 2].map(announcementOf));
    expect(await subjects.record(order, lifecycleAt(4), [3, 4].map(announcementOf))).toBeUndefined();
    expect(await subjects.recall(order)).toEqual({
      lifecycle: lifecycleAt(4),
      unsent: [1, 2, 3, 4].map((revision) => announcementOf(revision).id),
      parked: [],
    });
  });

  it.each([0, 2])('is taken by a store that is behind at %i, as one restored from a backup', async (behind) => {
    const { subjects } = await openIn(database);
    if (behind > 0) await subjects.record(order, lifecycleAt(behind), [announcementOf(behind)]);
    expect(await subjects.record(order, lifecycleAt(7), [announcementOf(7)])).toBeUndefined();
    expect(await subjects.recall(order)).toMatchObject({ lifecycle: { revision: 7 } });
    expect((await subjects.recall(order))?.unsent).toContain(announcementOf(7).id);
  });

  it("of another subject stands in nobody's way", async () => {
    const { subjects } = await openIn(database);
    await subjects.record(order, lifecycleAt(3), [announcementOf(3)]);
    const { lifecycle, announcement } = otherwise(1);
    for (const other of [{ tenant: '9105' }, { kind: 'receipt' }, { id: '31004582' }] as const) {
      const elsewhere = { ...announcement, id: `${announcement.id} ${JSON.stringify(other)}` };
      expect(await subjects.record({ ...order, ...other }, lifecycle, [elsewhere])).toBeUndefined();
    }
  });

  it('is that of one of two that record it at once, and the other is told of it', async () => {
    const { subjects } = await openIn(database);
    const mine = { lifecycle: lifecycleAt(1), announcement: announcementOf(1) };
    await expectOneToStand([mine, otherwise(1)], { first: subjects, second: subjects });
  });
});

/** Two writers record different things at once; where they are held up meanwhile, `meanwhile` releases them. */
async function expectOneToStand(
  [mine, theirs]: readonly [ReturnType<typeof otherwise>, ReturnType<typeof otherwise>],
  {
    first,
    second,
    meanwhile,
  }: {
    readonly first: Store['subjects'];
    readonly second: Store['subjects'];
    readonly meanwhile?: () => Promise<void>;
  },
): Promise<void> {
  const recording = Promise.all([
    first.record(order, mine.lifecycle, [mine.announcement]),
    second.record(order, theirs.lifecycle, [theirs.announcement]),
  ]);
  await meanwhile?.();
  const [told, toldThem] = await recording;
  const [winner, answer] = told === undefined ? [mine, toldThem] : [theirs, told];
  const stands = { lifecycle: winner.lifecycle, unsent: [winner.announcement.id], parked: [] };
  expect([told, toldThem].filter((one) => one === undefined)).toHaveLength(1);
  expect(answer).toEqual(stands);
  expect(await first.recall(order)).toEqual(stands);
}

describeOnPostgres('a revision that two processes record at once, on PostgreSQL', (database) => {
  it('is that of the first, even where neither had written when the other one looked', async () => {
    const location = await database.locate();
    const [{ db, subjects: first }, { subjects: second }] = [
      await openIn(database, { location }),
      await openIn(database, { location }),
    ];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    onTestFinished(() => release());
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
    // Whoever wants to write waits, and whoever looks does not.
    const lock = db.transaction().execute(async (transaction) => {
      await sql`lock table subjects in share mode`.execute(transaction);
      isLocked();
      await released;
    });
    await locked;
    const mine = { lifecycle: lifecycleAt(1), announcement: announcementOf(1) };
    await expectOneToStand([mine, otherwise(1)], {
      ...{ first, second },
      async meanwhile() {
        await expect.poll(() => waitingForLocks(db)).toBe(2);
        release();
        await lock;
      },
    });
  });
});

async function waitingForLocks(db: Store['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}

describeOnBoth('the outbox', (database) => {
  it('gives an announcement until it is marked as sent, byte for byte', async () => {
    const { subjects, outbox } = await openIn(database);
    const announcement = { ...announcementOf(1), body: '{"name":"Jörg \\u0000"}' };
    await subjects.record(order, lifecycleAt(1), [announcement]);
    expect(await outbox.unsent([announcement.id])).toEqual([announcement]);
    await outbox.markSent([announcement.id]);
    await outbox.markSent([announcement.id]);
    expect(await outbox.unsent([announcement.id])).toEqual([]);
  });

  it('gives up what was not sent, tells it apart from then on, and can still send it', async () => {
    const { subjects, outbox } = await openIn(database);
    const [first, second, third] = [1, 2, 3].map(announcementOf);
    await subjects.record(order, lifecycleAt(3), [first, second, third] as never);
    await outbox.markSent([first?.id ?? '']);
    expect(await outbox.park([second?.id ?? '', first?.id ?? ''], 'answered 503')).toEqual([second?.id]);
    expect(await subjects.recall(order)).toMatchObject({ unsent: [third?.id], parked: [second?.id] });
    expect(await outbox.unsent([second?.id ?? ''])).toEqual([second]);
    await outbox.markSent([second?.id ?? '']);
    expect(await subjects.recall(order)).toMatchObject({ unsent: [third?.id], parked: [] });
  });

  it('does not send again what is recorded again after it was sent', async () => {
    const { subjects, outbox } = await openIn(database);
    await subjects.record(order, lifecycleAt(1), [announcementOf(1)]);
    await outbox.markSent([announcementOf(1).id]);
    await subjects.record(order, lifecycleAt(1), [announcementOf(1)]);
    expect((await subjects.recall(order))?.unsent).toEqual([]);
  });
});
