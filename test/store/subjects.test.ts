import { expect, it } from 'vitest';
import { type Lifecycle, unknownLifecycle } from '../../src/domain/lifecycle.ts';
import { describeOnBoth, openIn } from './databases.ts';

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
