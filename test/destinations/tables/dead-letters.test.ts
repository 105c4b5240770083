import { expect, it } from 'vitest';
import { createRedelivery } from '../../../src/destinations/tables/redelivery.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { announcementOf, lifecycleAt, order, toDefault } from '../../support/make.ts';

describeOnBoth('requeued announcements', (database) => {
  const [first, second, third] = [1, 2, 3].map((revision) => announcementOf(revision).id) as [string, string, string];

  async function openWithQuarantined() {
    const clock = { now: 1_000 };
    const store = await openIn(database, { now: () => clock.now });
    const announcements = [1, 2, 3].map((revision) => announcementOf(revision));
    await recordAs(store, order, { lifecycle: lifecycleAt(3), announcements });
    for (const id of [first, second]) await store.outbox.deadLetter(toDefault(id), 'answered 410');
    const isUnannounced = async () => (await store.subjects.load(order, 0)).saved?.isUnannounced;
    return { ...store, clock, isUnannounced, lists: createRedelivery(store) };
  }

  it('are sent again, and their subject is marked until all are requeued', async () => {
    const { lists, subjects, isUnannounced } = await openWithQuarantined();
    await lists.requeue([first]);
    expect(await subjects.unsent(order)).toEqual({ default: [first, third] });
    expect(await isUnannounced()).toBe(true);
    await lists.requeue([second]);
    expect(await isUnannounced()).toBe(false);
    expect(await subjects.unsent(order)).toEqual({ default: [first, second, third] });
  });

  it('are retried for as long as new ones', async () => {
    const { lists, outbox, clock } = await openWithQuarantined();
    clock.now = 9_000;
    await lists.requeue([first]);
    expect(await outbox.lease(toDefault(first), 100)).toMatchObject({ id: first, triedSince: 9_000 });
  });

  it('keep their lease as long as its holder lives', async () => {
    const { lists, outbox, processes } = await openWithQuarantined();
    await processes.join();
    await outbox.lease(toDefault(third), 60_000);
    await lists.requeue([third]);
    expect(await outbox.lease(toDefault(third), 60_000)).toBe('leased');
    await processes.leave();
    await lists.requeue([first]);
    expect(await outbox.lease(toDefault(third), 60_000)).toBe('leased');
    await lists.requeue([third]);
    expect(await outbox.lease(toDefault(third), 60_000)).toMatchObject({ id: third });
  });

  it('lose the lease of a process whose heartbeats ended, and of one with a clock that was ahead', async () => {
    const { lists, outbox, clock, processes } = await openWithQuarantined();
    for (const offset of [-15_001, 15_001]) {
      await processes.join();
      await outbox.lease(toDefault(third), 3_600_000);
      clock.now -= offset;
      await lists.requeue([third]);
      expect(await outbox.lease(toDefault(third), 100), String(offset)).toMatchObject({ id: third });
      await processes.leave();
      clock.now += 1_000_000;
    }
  });

  it('are not sent again if they are acknowledged', async () => {
    const { lists, outbox, db } = await openWithQuarantined();
    await outbox.sent(toDefault(third), { status: 200, ms: 1 });
    await lists.requeue([third]);
    expect(await outbox.lease(toDefault(third), 100)).toBeUndefined();
    const row = await db.selectFrom('outbox').select('sent_at').where('announcement', '=', third).executeTakeFirst();
    expect(row?.sent_at).toEqual(expect.any(Number));
  });
});
